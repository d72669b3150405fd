/**
 * Parses and writes JSON without loss. `JSON.parse` changes numbers that a double cannot represent
 * as they are written (an id of 20 digits, 1e400, 1.10). An event's data is not ours to change, so
 * such numbers are kept as their source text (ECMAScript's JSON.parse source text access).
 */
interface SourceTextAccess {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
}

const json = JSON as unknown as SourceTextAccess;

/**
 * Parses JSON and keeps each number that a double would change as an exact number. Throws
 * `SyntaxError` when the text is not JSON, and `RangeError` when it is nested too deeply.
 */
export const parseExactJson = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  );

/** Whether a value is a number kept as its source text: `typeof` calls such a number an object. */
export const isExactNumber = (value: unknown): boolean => json.isRawJSON(value);

/**
 * The two non-characters that JSON allows and SQS refuses in a message. In JSON they can occur in
 * strings only, where an escape means the same.
 */
const REFUSED_BY_SQS = /[\uFFFE\uFFFF]/g;

/** A value as JSON text that SQS accepts, with exact numbers as they were written. */
export const stringifyForQueue = (value: unknown): string =>
  JSON.stringify(value).replace(
    REFUSED_BY_SQS,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
