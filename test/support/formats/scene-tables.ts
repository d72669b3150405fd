import { type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { EmulatedTables } from 'local-aws/test/support/tables.ts';

const KEYS = {
  directory: ['pk', 'sk'],
  integrations: ['account', 'id'],
  pendingEvents: ['partition', 'entry'],
  deliveryLog: ['partition', 'entry'],
  statistics: ['integration', 'hour'],
  changes: ['account', 'entry'],
} as const;

export type TableKind = keyof typeof KEYS;

export const TABLE_KINDS = Object.keys(KEYS) as TableKind[];

/** The tables of a stage, by what they hold. */
export interface SceneTables {
  readonly client: DynamoDBDocumentClient;
  readonly names: Readonly<Record<TableKind, string>>;
}

/** Empty tables with the keys of the stage's. */
export const createSceneTables = async (tables: EmulatedTables): Promise<SceneTables> => {
  const names = await Promise.all(
    TABLE_KINDS.map(
      async (kind) => [kind, await tables.createTable(KEYS[kind][0], KEYS[kind][1])] as const,
    ),
  );
  return {
    client: tables.client,
    names: Object.fromEntries(names) as Record<TableKind, string>,
  };
};

/** The key of an item, as text. */
export const keyOf = (kind: TableKind, item: Readonly<Record<string, unknown>>): string =>
  KEYS[kind].map((name) => item[name]).join(' ');

export type Item = Readonly<Record<string, unknown>>;
export type FrozenTables = Readonly<Record<TableKind, readonly Item[]>>;

/** All items of the scene's tables, in the order of their keys, as JSON can have them. */
export const itemsIn = async ({ client, names }: SceneTables): Promise<FrozenTables> => {
  const tables = await Promise.all(
    TABLE_KINDS.map(async (kind) => {
      const items: Item[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName: names[kind] })) {
        items.push(...Items.map((item) => mapMembers(item, frozen)));
      }
      return [
        kind,
        items.toSorted((one, other) => (keyOf(kind, one) < keyOf(kind, other) ? -1 : 1)),
      ];
    }),
  );
  return Object.fromEntries(tables);
};

/** Puts frozen items into the scene's tables; with `added` in each object of each item. */
export const putItems = async (
  { client, names }: SceneTables,
  tables: FrozenTables,
  { added = {} }: { added?: Item } = {},
): Promise<void> => {
  for (const kind of TABLE_KINDS) {
    for (const item of tables[kind]) {
      const Item = { ...mapMembers(item, (value) => thawed(value, added)), ...added };
      await client.send(new PutCommand({ TableName: names[kind], Item }));
    }
  }
};

/** Bytes as JSON has them. `dictionary` is the first of them, which tells how to read the others. */
interface FrozenBytes {
  readonly dictionary: number | undefined;
  readonly bytes: string;
}

const frozen = (value: unknown): unknown => {
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value).toString('base64');
    return { dictionary: value[0], bytes } satisfies FrozenBytes;
  }
  return isObject(value) ? mapMembers(value, frozen) : value;
};

const thawed = (value: unknown, added: Item): unknown => {
  if (isFrozenBytes(value)) return Buffer.from(value.bytes, 'base64');
  if (Array.isArray(value)) return value.map((member) => thawed(member, added));
  if (!isObject(value)) return value;
  return { ...mapMembers(value, (member) => thawed(member, added)), ...added };
};

const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFrozenBytes = (value: unknown): value is FrozenBytes =>
  isObject(value) && typeof value.bytes === 'string' && 'dictionary' in value;

const mapMembers = (item: Item, map: (value: unknown) => unknown): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, map(value)]));
