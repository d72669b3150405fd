/** A text as a reader means it, and where each of its characters begins in the text, and the end. */
export interface Reading {
  readonly text: string;
  readonly starts: readonly number[];
}

/** What JSON (also within JSON), HTML and URLs write for a character. */
const ESCAPE =
  /%([0-9a-f]{2})|(?<!\\)\\+u([0-9a-f]{4})|&#x([0-9a-f]{1,4});|&#(\d{1,5});|&(amp|lt|gt|quot|apos);|(?<!\\)\\+([^\\])/gi;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Of an escape within an escape within an escape. */
const ROUNDS = 3;

/** Without case; a blank is `+` in a form, and base64 has an alphabet for URLs. */
const folded = (text: string): string =>
  text.replaceAll(/[A-Z _-]/g, (char) => FOLDED[char] ?? char.toLowerCase());

const FOLDED: Readonly<Record<string, string>> = { ' ': '+', '-': '+', _: '/' };

/** One character. */
const meantBy = ([, percent, json, hex, decimal, name, char]: RegExpExecArray): string => {
  const code = percent ?? json ?? hex;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return name === undefined ? (char ?? '') : (NAMED[name.toLowerCase()] ?? '');
};

const unescapedOnce = ({ text, starts }: Reading): Reading => {
  const [pieces, places]: [string[], number[]] = [[], []];
  let read = 0;
  const keepUntil = (end: number) => {
    pieces.push(text.slice(read, end));
    for (let at = read; at < end; at += 1) places.push(starts[at] ?? 0);
  };
  for (const found of text.matchAll(ESCAPE)) {
    keepUntil(found.index);
    pieces.push(meantBy(found));
    places.push(starts[found.index] ?? 0);
    read = found.index + found[0].length;
  }
  keepUntil(text.length);
  return { text: pieces.join(''), starts: [...places, starts.at(-1) ?? 0] };
};

/** A text as it is and, if it has escapes, without them: in the letters by which texts are compared. */
export const readingsOf = (text: string): readonly Reading[] => {
  const starts = Array.from({ length: text.length + 1 }, (_, at) => at);
  const asItIs: Reading = { text, starts };
  let meant = asItIs;
  for (let round = 0; round < ROUNDS && /[%\\&]/.test(meant.text); round += 1) {
    meant = unescapedOnce(meant);
  }
  const readings = meant.text === text ? [asItIs] : [asItIs, meant];
  return readings.map((reading) => ({ ...reading, text: folded(reading.text) }));
};
