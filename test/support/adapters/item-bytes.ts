/**
 * The size of an item as DynamoDB counts it: names and values in UTF-8, 21 bytes at most for a
 * number, one for a boolean, three for a map or list and one for each of its members.
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export const itemBytes = (item: Readonly<Record<string, unknown>> = {}): number =>
  Object.entries(item).reduce(
    (bytes, [name, value]) => bytes + Buffer.byteLength(name) + valueBytes(value),
    0,
  );

const valueBytes = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 1;
  return 3 + Object.keys(value).length + itemBytes(value as Record<string, unknown>);
};
