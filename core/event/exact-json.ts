/**
 * JSON without loss. `JSON.parse` changes numbers that a double cannot represent (an id of 20
 * digits, 1e400, 1.10). An event's data is not ours to change: such numbers are kept as source
 * text.
 */
interface SourceTextAccess {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
  isRawJSON?(value: unknown): boolean;
}

const json = JSON as unknown as SourceTextAccess;

/** Keeps numbers exact. Throws `SyntaxError`. Its depth is bounded by the stack. */
export const parseExactJson = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  );

/**
 * Whether a value is a number kept as its source text: `typeof` calls such a number an object. Not
 * every browser has them.
 */
export const isExactNumber = (value: unknown): boolean => json.isRawJSON?.(value) ?? false;

/** The source text of a number that was kept so; undefined for anything else. */
export const exactNumberIn = (value: unknown): string | undefined =>
  isExactNumber(value) ? (value as { rawJSON: string }).rawJSON : undefined;

/** JSON allows these in strings only, where an escape means the same. SQS refuses them. */
const REFUSED_BY_SQS = /[\uFFFE\uFFFF]/g;

/** An escape. `JSON.stringify` escapes a surrogate only if its other half is missing. */
const ESCAPE = /\\(?:u(d[89a-f])..|.)/g;

/**
 * A value as JSON text that SQS and every parser accept, with exact numbers as they were written. A
 * surrogate without its other half, in strings and in names, is U+FFFD (RFC 7493).
 */
export const stringifyForQueue = (value: unknown): string =>
  withoutHalves(JSON.stringify(value)).replace(
    REFUSED_BY_SQS,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );

const withoutHalves = (text: string): string => {
  if (!text.includes('\\ud')) return text;
  const whole = text.replace(ESCAPE, (found, half) => (half ? '\uFFFD' : found));
  // Names that differed may be one name now: of members of one name, the last is kept.
  return whole === text ? text : JSON.stringify(parseExactJson(whole));
};
