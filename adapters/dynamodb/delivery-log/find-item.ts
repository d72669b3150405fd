import { partitionOf } from '../table/stored-deliveries.ts';
import {
  type DeliveryItem,
  deliveryKey,
  type PointerItem,
  pointerKey,
} from './delivery-log-items.ts';
import { type DeliveryLogQueries, isBetween } from './delivery-log-queries.ts';
import { timesAround } from './time-in-id.ts';

/** Sorts after every event's id. */
const AFTER_IDS = '~';

/** The item of a delivery, found by the event's id alone: by the time in it, or by a pointer. */
export const findItem = async (
  queries: DeliveryLogQueries,
  integration: string,
  eventId: string,
): Promise<DeliveryItem | undefined> => {
  const [byTime, byPointer] = await Promise.all([
    findByTime(queries, integration, eventId),
    findByPointer(queries, integration, eventId),
  ]);
  return byTime ?? byPointer;
};

const findByTime = async (
  queries: DeliveryLogQueries,
  integration: string,
  eventId: string,
): Promise<DeliveryItem | undefined> => {
  const times = timesAround(eventId);
  if (times === undefined) return undefined;
  const range = isBetween(times.from.toISOString(), `${times.to.toISOString()}#${AFTER_IDS}`);
  let after: string | undefined;
  do {
    const { items, readTo } = await queries.page<DeliveryItem>(partitionOf(integration, eventId), {
      key: range,
      order: 'oldest first',
      limit: 1_000,
      after,
      isListing: true,
    });
    const found = items.find(({ entry }) => entry.endsWith(`#${eventId}`));
    if (found) return found;
    after = readTo;
  } while (after !== undefined);
  return undefined;
};

const findByPointer = async (
  queries: DeliveryLogQueries,
  integration: string,
  eventId: string,
): Promise<DeliveryItem | undefined> => {
  const pointer = await queries.get<PointerItem>(pointerKey(integration, eventId));
  if (pointer === undefined) return undefined;
  const event = { id: eventId, occurredAt: pointer.occurredAt };
  return queries.get<DeliveryItem>(deliveryKey({ integration, event }));
};
