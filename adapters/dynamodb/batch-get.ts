import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { asError } from '../gathered-calls.ts';
import type { DynamoDbTable, Key, Projection } from './dynamodb-table.ts';

/**
 * Reads up to 100 items, strongly consistent, in the order of their keys: an item, undefined for an
 * item that is not there, or the error of a single read. Reads that DynamoDB leaves undone, as when a
 * partition is throttled, are made one by one: the client waits and repeats such requests, and no
 * other item's read fails. Throws when the batch as a whole fails.
 */
export const batchGet = async <Item extends object>(
  table: DynamoDbTable,
  keys: readonly Key[],
  projection?: Projection,
): Promise<readonly (Item | undefined | Error)[]> => {
  const distinct = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
  const found = new Map<string, Item | Error>();
  const readOne = async (key: Key): Promise<void> => {
    const item = await table.getItem<Item>(key, projection).catch(asError);
    if (item) found.set(nameOf(key), item);
  };
  let single: readonly Key[] = distinct;
  if (distinct.length > 1) {
    const { items, undone } = await readAtOnce(table, distinct, projection);
    for (const item of items) found.set(nameOf(keyIn(item, distinct)), item as Item);
    single = undone;
  }
  await Promise.all(single.map(readOne));
  return keys.map((key) => found.get(nameOf(key)));
};

const readAtOnce = async (
  { client, table }: DynamoDbTable,
  keys: readonly Key[],
  projection?: Projection,
): Promise<{ items: Record<string, unknown>[]; undone: Key[] }> => {
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetCommand({
      RequestItems: { [table]: { Keys: [...keys], ConsistentRead: true, ...projection } },
    }),
  );
  return {
    items: Responses?.[table] ?? [],
    undone: (UnprocessedKeys?.[table]?.Keys ?? []) as Key[],
  };
};

const nameOf = (key: Key): string => JSON.stringify(key);

/** The key of an item: the attributes that all keys have. */
const keyIn = (item: Record<string, unknown>, [like = {}]: readonly Key[]): Key =>
  Object.fromEntries(Object.keys(like).map((name) => [name, String(item[name])]));
