const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** How long until an instant, in the two largest units: "23 h 59 min"; undefined once it is past. */
export const remainingInWords = (until: string, now: Date): string | undefined => {
  let seconds = Math.ceil((Date.parse(until) - now.getTime()) / 1_000);
  if (seconds <= 0) return undefined;
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    if (count > 0 || parts.length > 0) parts.push(`${count} ${unit}`);
    if (parts.length === 2) break;
  }
  return parts.join(' ');
};
