import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { LogReading } from '../../core/delivery/delivery-log.ts';
import { batchGet } from './batch-get.ts';
import { type DeliveryItem, deliveryKey, END_OF_LISTING } from './delivery-log-items.ts';
import { partitionsOf } from './integration-partitions.ts';

/** What `readingsOf` needs of an item: never its body. */
const READ = {
  ProjectionExpression:
    '#partition, entry, deliveredAt, firstAttempt.#n, firstAttempt.nextAttemptAt, latestAttempt.#n, latestAttempt.nextAttemptAt',
  ExpressionAttributeNames: { '#partition': 'partition', '#n': 'number' },
};

/** See `DeliveryLog.read`. */
export const readingsOf = async (
  client: DynamoDBDocumentClient,
  table: string,
  deliveries: readonly Delivery[],
): Promise<readonly (LogReading | Error)[]> => {
  const keys = deliveries.map((delivery) => ({ ...deliveryKey(delivery) }));
  return (await batchGet<DeliveryItem>(client, table, keys, READ)).map(readingOf);
};

const readingOf = (item: DeliveryItem | undefined | Error): LogReading | Error => {
  if (item instanceof Error) return item;
  if (item === undefined) return { logged: 'nothing' };
  if (item.deliveredAt !== undefined) return { logged: 'delivered' };
  const attempt = item.latestAttempt ?? item.firstAttempt;
  if (attempt === undefined) return { logged: 'listed' };
  const backsOff = attempt.nextAttemptAt !== undefined;
  return { logged: 'attempted', ...(backsOff && { backsOffAfter: attempt.number }) };
};

/** How many of the latest deliveries of each partition are looked at. */
const LOOKED_AT = 5;

/** See `DeliveryLog.confirmedSince`. */
export const isConfirmedSince = async (
  client: DynamoDBDocumentClient,
  table: string,
  { integration, since }: { integration: string; since: Date },
): Promise<boolean> => {
  const reads = partitionsOf(integration).map(async (partition) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: '#partition = :partition AND entry < :end',
        ProjectionExpression: 'deliveredAt',
        ExpressionAttributeNames: { '#partition': 'partition' },
        ExpressionAttributeValues: { ':partition': partition, ':end': END_OF_LISTING },
        ConsistentRead: true,
        ScanIndexForward: false,
        Limit: LOOKED_AT,
      }),
    );
    return Items.some(({ deliveredAt = '' }) => deliveredAt >= since.toISOString());
  });
  return (await Promise.all(reads)).some((isConfirmed) => isConfirmed);
};
