import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { EmulatedTables } from '../adapters/emulated-tables.ts';

const KEYS = {
  directory: ['pk', 'sk'],
  integrations: ['account', 'id'],
  pendingEvents: ['partition', 'entry'],
  deliveryLog: ['partition', 'entry'],
  statistics: ['integration', 'hour'],
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
