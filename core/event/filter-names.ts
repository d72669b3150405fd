import type { FilterFault } from './event-filter.ts';
import { evaluateFilter } from './filter-evaluation.ts';

/** JSON Schema of an event type's data, as far as a filter is compared with it. */
export interface DataSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly DataSchema[];
  readonly items?: DataSchema;
  /** Absent if an object's names are free. */
  readonly properties?: Readonly<Record<string, DataSchema>>;
  readonly additionalProperties?: DataSchema | boolean;
}

/** A place of a valid filter that an event type does not have, or has with other values only. */
interface Misfit {
  readonly path: readonly string[];
  /** The names that the type has there instead; undefined if it is about values. */
  readonly names?: readonly string[];
  /** Whether the filter asks for what the type lacks, so that it matches all the same. */
  readonly isWanted: boolean;
}

const MOST_NAMED = 10;

/**
 * The names of a valid filter that no event type of these has, and values that none can have; else
 * whether no type has all of them. The platform may send more than its schemas have, so such a filter
 * is not refused.
 */
export const filterWarnings = (
  filter: object,
  schemas: readonly DataSchema[],
): readonly FilterFault[] => {
  const byPath = schemas.map((schema) => Map.groupBy(misfitsOf(filter, schema), pathOf));
  const common = [...(byPath[0]?.keys() ?? [])].filter((path) =>
    byPath.every((misfits) => misfits.has(path)),
  );
  if (common.length > 0) {
    return common
      .slice(0, MOST_NAMED)
      .map((path) => warningOf(byPath.flatMap((misfits) => misfits.get(path) ?? [])));
  }
  const isInVain = schemas.length > 0 && !schemas.some((schema) => canMatch(filter, schema));
  return isInVain ? [{ path: [], detail: NOT_TOGETHER }] : [];
};

/** Whether a valid filter can match an event of a type. */
export const canMatch = (filter: object, schema: DataSchema): boolean =>
  misfitsOf(filter, schema).every(({ isWanted }) => isWanted);

const pathOf = ({ path }: Misfit): string => JSON.stringify(path);

const NOT_TOGETHER = 'matches no event: no subscribed event type has all of its names and values';
const NO_VALUE = 'matches no value that the subscribed event types have here';

/** Of what each event type lacks at one place. */
const warningOf = (misfits: readonly Misfit[]): FilterFault => {
  const { path = [] } = misfits[0] ?? {};
  if (misfits.some(({ names }) => names === undefined)) return { path, detail: NO_VALUE };
  const known = [...new Set(misfits.flatMap(({ names = [] }) => names))].toSorted();
  const detail = [
    'is a name that no subscribed event type has here',
    ...(known.length > 0 ? [`they have ${known.join(', ')}`] : []),
    ...(path.length === 1 ? ['a filter begins below `data`'] : []),
    ...(path.at(-1)?.includes('.') ? ['a name inside another is written as an object'] : []),
  ].join('; ');
  return { path, detail };
};

const misfitsOf = (filter: object, schema: DataSchema): readonly Misfit[] =>
  misfitsIn(filter, shapesOf(schema), []);

const misfitsIn = (
  pattern: object,
  shapes: readonly DataSchema[],
  above: readonly string[],
): readonly Misfit[] =>
  Object.entries(pattern).flatMap(([name, wanted]: [string, object]): readonly Misfit[] => {
    const path = [...above, name];
    const members = shapes.flatMap((shape) => membersOf(shape, name));
    if (members.length === 0) {
      const names = shapes.flatMap(({ properties = {} }) => Object.keys(properties));
      return [{ path, names, isWanted: matchesNone(wanted) }];
    }
    if (!Array.isArray(wanted)) return misfitsIn(wanted, members, path);
    const fits = wanted.some((matcher) => members.some((member) => canHave(member, matcher)));
    return fits ? [] : [{ path, isWanted: false }];
  });

/** The schemas of a value, or of the elements of a list. */
const shapesOf = (schema: DataSchema): readonly DataSchema[] => {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(shapesOf);
  return schema.items === undefined ? [schema] : shapesOf(schema.items);
};

const ANYTHING: DataSchema = {};

const isAnything = ({ type, const: only, enum: values }: DataSchema): boolean =>
  [type, only, values].every((rule) => rule === undefined);

const membersOf = (schema: DataSchema, name: string): readonly DataSchema[] => {
  if (isAnything(schema)) return [ANYTHING];
  const { type, properties, additionalProperties } = schema;
  if (type !== 'object') return [];
  if (properties === undefined) {
    return typeof additionalProperties === 'object' ? shapesOf(additionalProperties) : [ANYTHING];
  }
  const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return member === undefined ? [] : shapesOf(member);
};

/** Whether a pattern matches where there is no value. */
const matchesNone = (pattern: object): boolean =>
  Array.isArray(pattern) ? pattern.some(asksForNone) : Object.values(pattern).every(matchesNone);

/** Whether a value of a schema, or its absence, can match. An object is no value. */
const canHave = (schema: DataSchema, matcher: unknown): boolean => {
  const { type, const: only, enum: values = only === undefined ? undefined : [only] } = schema;
  if (isAnything(schema) || asksForNone(matcher)) return true;
  if (values !== undefined) {
    const filter = JSON.stringify({ value: [matcher] });
    return values.some((value) => evaluateFilter(filter, { value }).isSent);
  }
  if (type === 'object') return false;
  const ofMatcher = typeOf(matcher);
  return ofMatcher === undefined || ofMatcher === (type === 'integer' ? 'number' : type);
};

/** The type of the values that can match; undefined if those of any can. */
const typeOf = (matcher: unknown): string | undefined => {
  if (matcher === null) return 'null';
  if (typeof matcher !== 'object') return typeof matcher;
  if ('anything-but' in matcher || 'exists' in matcher) return undefined;
  return 'numeric' in matcher ? 'number' : 'string';
};

const asksForNone = (matcher: unknown): boolean =>
  typeof matcher === 'object' &&
  matcher !== null &&
  'exists' in matcher &&
  matcher.exists === false;
