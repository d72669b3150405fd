/**
 * Which members a document has, and of which kind, at every depth; of those that are `told`, their
 * values. Of a list, what kinds of members it has, in no order: an example shows one of each, not
 * how many.
 */
export const shapeOf = (value: unknown, told: ReadonlySet<string> = new Set()): unknown => {
  if (Array.isArray(value)) {
    const shapes = value.map((member) => JSON.stringify(shapeOf(member, told)));
    return [...new Set(shapes)].toSorted().map((shape) => JSON.parse(shape));
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, told.has(name) ? member : shapeOf(member, told)] as const,
  );
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

/** Members whose values an example tells, whoever's document it is: what state things are in. */
export const TOLD_MEMBERS: ReadonlySet<string> = new Set([
  '@context',
  '@type',
  'provider',
  'active',
  'settings',
  'status',
  'isHealthy',
  'setAsideEvents',
  'isPending',
  'isSetAside',
  'result',
  'outcome',
  'statusCode',
]);
