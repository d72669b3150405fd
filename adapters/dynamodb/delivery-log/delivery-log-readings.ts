import type { LoggedAttempt, LogReading } from '../../../core/delivery/delivery-log.ts';
import { partitionsOf } from '../table/stored-deliveries.ts';
import type { DynamoDbTable } from '../table/table.ts';
import {
  type DeliveryItem,
  deliveryKey,
  END_OF_LISTING,
  type Identified,
  occurredAtOf,
  type StoredAttempt,
} from './delivery-log-items.ts';
import type { DeliveryLogQueries } from './delivery-log-queries.ts';
import { findOtherItems } from './find-item.ts';

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

/** Of an event that is listed under another time, the reading of that delivery. */
export const readingsOf = async (
  queries: DeliveryLogQueries,
  deliveries: readonly Identified[],
): Promise<readonly (LogReading | Error)[]> => {
  const items = await queries.getItems<DeliveryItem>(deliveries.map(deliveryKey), READ);
  const undelivered = deliveries.filter((_, index) => !isDelivered(items[index]));
  const others = await findOtherItems(queries, undelivered);
  const otherOf = new Map(undelivered.map((delivery, index) => [delivery, others[index]]));
  return deliveries.map((delivery, index) => {
    const other = otherOf.get(delivery);
    if (other) return { ...readingOf(other), occurredAt: occurredAtOf(other) };
    const item = items[index];
    if (item === undefined) return { logged: 'nothing' };
    return item instanceof Error ? item : readingOf(item);
  });
};

const isDelivered = (item: DeliveryItem | Error | undefined): boolean =>
  item !== undefined && 'deliveredAt' in item;

const readingOf = (item: DeliveryItem): LogReading => {
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
