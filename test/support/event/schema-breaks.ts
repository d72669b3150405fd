import { isDeepStrictEqual } from 'node:util';

/** A JSON Schema, as far as the event catalogue uses it. */
type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Keywords that are compared by their own rules, or say nothing about values. */
const COMPARED = new Set(['description', 'properties', 'required', 'enum', 'items']);

/**
 * Why a receiver that was written for `before` may not understand `after`: empty if it does. New
 * members break nothing.
 */
export const breaksOf = (before: Schema, after: Schema, at = 'data'): string[] => {
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [
    ...[...keywords]
      .filter((keyword) => !COMPARED.has(keyword))
      .filter((keyword) => !isDeepStrictEqual(before[keyword], after[keyword]))
      .map((keyword) => `${at}: ${keyword} changed`),
    ...brokenEnum(before, after).map((fault) => `${at}: ${fault}`),
    ...brokenMembers(before, after, at),
    ...(isSchema(before.items)
      ? breaksOf(before.items, isSchema(after.items) ? after.items : {}, `${at}[]`)
      : []),
  ];
};

const brokenEnum = (before: Schema, after: Schema): string[] => {
  const known = listOf(before.enum);
  if (known.length === 0) return [];
  if (after.enum === undefined) return ['may have any value'];
  return listOf(after.enum)
    .filter((value) => !known.includes(value))
    .map((value) => `may be ${JSON.stringify(value)}`);
};

const brokenMembers = (before: Schema, after: Schema, at: string): string[] => {
  const [old, current] = [membersOf(before), membersOf(after)];
  return [
    ...Object.entries(old).flatMap(([name, schema]) => {
      const now = current[name];
      return now === undefined
        ? [`${at}.${name}: removed`]
        : breaksOf(schema, now, `${at}.${name}`);
    }),
    ...listOf(before.required)
      .filter((name) => !listOf(after.required).includes(name) && current[String(name)])
      .map((name) => `${at}.${name}: no longer required`),
  ];
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const membersOf = ({ properties = {} }: Schema) => properties as Readonly<Record<string, Schema>>;
