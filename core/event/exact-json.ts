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
  isRawJSON(value: unknown): boolean;
}

const json = JSON as unknown as SourceTextAccess;

/** Keeps numbers exact. Throws `SyntaxError`. Its depth is bounded by the stack. */
export const parseExactJson = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  );

/** Whether a value is a number kept as its source text: `typeof` calls such a number an object. */
export const isExactNumber = (value: unknown): boolean => json.isRawJSON(value);

/** JSON allows these in strings only, where an escape means the same. SQS refuses them. */
const REFUSED_BY_SQS = /[\uFFFE\uFFFF]/g;

/** A value as JSON text that SQS accepts, with exact numbers as they were written. */
export const stringifyForQueue = (value: unknown): string =>
  JSON.stringify(value).replace(
    REFUSED_BY_SQS,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
