import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { asError, type Calls, gatheredCalls } from '../gathered-calls.ts';
import { batchInsert } from './batch-insert.ts';
import type { PendingItem } from './pending-items.ts';
import { ifConditionHolds } from './writes.ts';

/**
 * Returns a function that puts an item into table PendingEvents. What is put at the same time goes
 * into one call: nearly always there is no item yet. An item that is there is replaced, by a call of
 * its own, unless a resend stored it and the new item is of none.
 */
export const createPendingItemPuts = (
  client: DynamoDBDocumentClient,
  table: string,
): ((item: PendingItem) => Promise<void>) => {
  const put = async (Item: PendingItem): Promise<void> => {
    const command = new PutCommand({
      TableName: table,
      Item,
      ...(Item.trigger !== 'manual' && {
        ConditionExpression: 'attribute_not_exists(#trigger) OR #trigger <> :manual',
        ExpressionAttributeNames: { '#trigger': 'trigger' },
        ExpressionAttributeValues: { ':manual': 'manual' },
      }),
    });
    await ifConditionHolds(client.send(command));
  };

  const insertAll = async (items: readonly PendingItem[]): Promise<ReadonlySet<PendingItem>> => {
    // Two messages of one delivery may be in a batch, and a call takes each key once.
    const distinct = new Map(items.map((item) => [`${item.partition} ${item.entry}`, item]));
    const left = new Set(await batchInsert(client, table, [...distinct.values()]));
    return new Set([...distinct.values()].filter((item) => !left.has(item)));
  };

  const putAll = async (items: Calls<PendingItem>): Promise<(Error | undefined)[]> => {
    const inserted = items.length > 1 ? await insertAll(items) : new Set<PendingItem>();
    const puts = items.map((item) => (inserted.has(item) ? undefined : put(item)));
    const results = await Promise.allSettled(puts);
    return results.map((result) => ('reason' in result ? asError(result.reason) : undefined));
  };

  return gatheredCalls<PendingItem, undefined>(putAll, () => table);
};
