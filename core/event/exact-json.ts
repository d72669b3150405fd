/**
 * JSON text in and out without loss. `JSON.parse` rounds numbers that a double cannot hold
 * (an id of 20 digits, 1e400, 1.10); an event's data is not ours to change, so such numbers are
 * carried as their source text (ECMAScript's JSON.parse source text access).
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

/** Throws `SyntaxError` when the text is not JSON. */
export const parseExactJson = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  );

/** Whether a value is such a number: to `typeof` it is an object. */
export const isExactNumber = (value: unknown): boolean => json.isRawJSON(value);

/**
 * The two non-characters that JSON allows in a string and SQS refuses in a message. Inside JSON
 * they can only stand in strings, where an escape means the same.
 */
const REFUSED_BY_SQS = /[\uFFFE\uFFFF]/g;

export const stringifyForQueue = (value: unknown): string =>
  JSON.stringify(value).replace(
    REFUSED_BY_SQS,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
