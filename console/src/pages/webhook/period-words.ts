const HOUR_MS = 3_600_000;

/** How long a bar of the chart lasts. */
export const PERIOD_MS = { hours: HOUR_MS, days: 24 * HOUR_MS } as const;

const HOUR = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const;
const DAY = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;

/** "Nov 22, 10 – 11 AM" in the reader's zone, or "Sun, Nov 22 (UTC)": the service's days are UTC's. */
export const periodInWords = (start: string, span: keyof typeof PERIOD_MS): string => {
  const from = new Date(start);
  if (span === 'days') return `${new Intl.DateTimeFormat(undefined, DAY).format(from)} (UTC)`;
  const until = new Date(from.getTime() + PERIOD_MS.hours);
  return new Intl.DateTimeFormat(undefined, HOUR).formatRange(from, until);
};

/** A time span that may be open at one end. */
export const spanInWords = (since: string | undefined, until: string | undefined): string => {
  const format = new Intl.DateTimeFormat(undefined, HOUR);
  if (since !== undefined && until !== undefined) {
    return format.formatRange(new Date(since), new Date(until));
  }
  if (since !== undefined) return `Since ${format.format(new Date(since))}`;
  return until === undefined ? 'Any time' : `Before ${format.format(new Date(until))}`;
};
