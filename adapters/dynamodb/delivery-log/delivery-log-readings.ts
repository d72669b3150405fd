import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { LogReading } from '../../../core/delivery/delivery-log.ts';
import { partitionsOf } from '../table/stored-deliveries.ts';
import type { DynamoDbTable } from '../table/table.ts';
import { type DeliveryItem, deliveryKey, END_OF_LISTING } from './delivery-log-items.ts';

/** What `readingsOf` needs of an item: never its body. */
const READ = {
  ProjectionExpression:
    '#partition, entry, deliveredAt, firstAttempt.#n, firstAttempt.nextAttemptAt, latestAttempt.#n, latestAttempt.nextAttemptAt',
  ExpressionAttributeNames: { '#partition': 'partition', '#n': 'number' },
};

export const readingsOf = async (
  table: DynamoDbTable,
  deliveries: readonly Pick<Delivery, 'integration' | 'event'>[],
): Promise<readonly (LogReading | Error)[]> => {
  const items = await table.getItems<DeliveryItem>(deliveries.map(deliveryKey), READ);
  return items.map(readingOf);
};

const readingOf = (item: DeliveryItem | undefined | Error): LogReading | Error => {
  if (item instanceof Error) return item;
  if (item === undefined) return { logged: 'nothing' };
  const attempt = item.latestAttempt ?? item.firstAttempt;
  if (attempt === undefined) return { logged: 'listed' };
  const { number, nextAttemptAt } = attempt;
  return {
    logged: item.deliveredAt === undefined ? 'attempted' : 'delivered',
    latestAttempt: { number, backsOff: nextAttemptAt !== undefined },
  };
};

/** How many of the newest deliveries of each partition are read. */
export const LOOKED_AT = 5;

export const isConfirmedSince = async (
  table: DynamoDbTable,
  {
    integration,
    since,
    before = END_OF_LISTING,
  }: { integration: string; since: Date; before?: string | undefined },
): Promise<boolean> => {
  const reads = partitionsOf(integration).map(async (partition) => {
    const { Items = [] } = await table.query({
      KeyConditionExpression: '#partition = :partition AND entry < :before',
      ProjectionExpression: 'deliveredAt, firstAttempt.#trigger',
      ExpressionAttributeNames: { '#partition': 'partition', '#trigger': 'trigger' },
      ExpressionAttributeValues: { ':partition': partition, ':before': before },
      ScanIndexForward: false,
      Limit: LOOKED_AT,
    });
    return Items.some(
      ({ deliveredAt = '', firstAttempt }) =>
        deliveredAt >= since.toISOString() && firstAttempt?.trigger !== 'test',
    );
  });
  return (await Promise.all(reads)).some((isConfirmed) => isConfirmed);
};
