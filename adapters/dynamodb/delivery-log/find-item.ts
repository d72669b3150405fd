import type { LogEntry } from '../../../core/delivery/delivery-log.ts';
import { partitionOf } from '../table/stored-deliveries.ts';
import {
  type DeliveryItem,
  deliveryKey,
  type Identified,
  occurredAtOf,
  type PointerItem,
  pointerKey,
} from './delivery-log-items.ts';
import { type DeliveryLogQueries, isBetween } from './delivery-log-queries.ts';
import { tellsItsTime, timesAround } from './time-in-id.ts';

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

/** The entries, each under the time with which its event is listed. */
export const asListed = async (
  queries: DeliveryLogQueries,
  entries: readonly LogEntry[],
): Promise<readonly LogEntry[]> => {
  const others = await findOtherItems(
    queries,
    entries.map(({ delivery }) => delivery),
  );
  return entries.map((entry, index) => {
    const other = others[index];
    if (other === undefined) return entry;
    const event = { ...entry.delivery.event, occurredAt: occurredAtOf(other) };
    return { ...entry, delivery: { ...entry.delivery, event } };
  });
};

/**
 * For each delivery, the item with which its event is listed under another time, if there is one: an
 * event that is sent again is the same event, whatever its time. Finds none if the id tells the
 * event's own time, and none for a read that fails.
 */
export const findOtherItems = async (
  queries: DeliveryLogQueries,
  deliveries: readonly Identified[],
): Promise<readonly (DeliveryItem | undefined)[]> => {
  const doubtful = deliveries.filter(({ event }) => !tellsItsTime(event));
  const keys = doubtful.map(({ integration, event }) => pointerKey(integration, event.id));
  const pointers = await queries.getItems<PointerItem>(keys).catch(() => []);
  const items = await Promise.all(
    doubtful.map((delivery, index) =>
      findOther(queries, delivery, pointers[index]).catch(() => undefined),
    ),
  );
  const found = new Map(doubtful.map((delivery, index) => [delivery, items[index]]));
  return deliveries.map((delivery) => found.get(delivery));
};

const findOther = async (
  queries: DeliveryLogQueries,
  delivery: Identified,
  pointer: PointerItem | Error | undefined,
): Promise<DeliveryItem | undefined> => {
  const { integration, event } = delivery;
  const byTime = await findByTime(queries, integration, event.id);
  if (byTime !== undefined) return byTime;
  if (pointer === undefined || pointer instanceof Error) return undefined;
  const key = deliveryKey({ integration, event: { id: event.id, occurredAt: pointer.occurredAt } });
  const isOwn = key.entry === deliveryKey(delivery).entry;
  return isOwn ? undefined : queries.get<DeliveryItem>(key);
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
