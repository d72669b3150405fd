import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { gatheredCalls } from '../gathered-calls.ts';
import type { PendingItem } from './pending-items.ts';
import { ifConditionHolds, insertOrPut } from './writes.ts';

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

  return gatheredCalls<PendingItem, undefined>(
    (items) => insertOrPut(client, table, items, put),
    () => table,
  );
};
