import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { LoggedAttempt, LogReading } from '../../../core/delivery/delivery-log.ts';
import { partitionsOf } from '../table/stored-deliveries.ts';
import type { DynamoDbTable } from '../table/table.ts';
import {
  type DeliveryItem,
  deliveryKey,
  END_OF_LISTING,
  type StoredAttempt,
} from './delivery-log-items.ts';

/** What `readingsOf` needs of an item: never its body. */
const READ = {
  ProjectionExpression: [
    '#partition, entry, deliveredAt',
    ...['firstAttempt', 'latestAttempt'].map(
      (attempt) =>
        `${attempt}.#n, ${attempt}.nextAttemptAt, ${attempt}.startedAt, ${attempt}.#o, ${attempt}.statusCode`,
    ),
  ].join(', '),
  ExpressionAttributeNames: { '#partition': 'partition', '#n': 'number', '#o': 'outcome' },
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
  const { firstAttempt, deliveredAt, latestAttempt = firstAttempt } = item;
  if (latestAttempt === undefined) return { logged: 'listed' };
  const { number, nextAttemptAt } = latestAttempt;
  return {
    logged: deliveredAt === undefined ? 'attempted' : 'delivered',
    ...(deliveredAt !== undefined && { deliveredAt }),
    latestAttempt: {
      ...loggedAttempt(latestAttempt),
      number,
      backsOff: nextAttemptAt !== undefined,
    },
    ...(firstAttempt &&
      latestAttempt !== firstAttempt && { firstAttempt: loggedAttempt(firstAttempt) }),
  };
};

const loggedAttempt = ({ startedAt, outcome, statusCode }: StoredAttempt): LoggedAttempt => ({
  startedAt,
  outcome,
  ...(statusCode !== undefined && { statusCode }),
});

/** How many of the newest deliveries of each partition are read. */
export const LOOKED_AT = 5;

export const isConfirmedSince = async (
  table: DynamoDbTable,
  { integration, since }: { integration: string; since: Date },
): Promise<boolean> => {
  const reads = partitionsOf(integration).map(async (partition) => {
    const { Items = [] } = await table.query({
      KeyConditionExpression: '#partition = :partition AND entry < :before',
      ProjectionExpression: 'deliveredAt, firstAttempt.#trigger',
      ExpressionAttributeNames: { '#partition': 'partition', '#trigger': 'trigger' },
      ExpressionAttributeValues: { ':partition': partition, ':before': END_OF_LISTING },
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
