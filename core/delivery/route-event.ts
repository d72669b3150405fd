import { type PlatformEvent, UnroutableEvent } from '../event/event.ts';
import { stringifyForQueue } from '../event/exact-json.ts';
import type { Integration } from '../integration/integration.ts';
import { type Delivery, deliveryId } from './delivery.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { laneOf } from './lanes.ts';
import { createRoom } from './room.ts';

interface Listing {
  /** The error, if the deliveries could not be listed in the delivery log. */
  readonly listingFault?: unknown;
}

export interface RoutedEvent extends Listing {
  /** The bare ids of the integrations that get the event. */
  readonly integrations: readonly string[];
}

export type RouteEvent = (
  event: PlatformEvent,
  listIntegrations: (account: string) => Promise<readonly Integration[]>,
) => Promise<RoutedEvent>;

interface Ports {
  readonly deliveries: DeliveryQueue;
  /** The queue of deliveries whose integrations are slow. */
  readonly slowLane: Pick<DeliveryQueue, 'enqueue'>;
  readonly now: () => Date;
  readonly deliveryLog: { open(deliveries: readonly Delivery[]): Promise<void> };
}

/**
 * Bodies that are in memory at once: of a page, and of all events that are routed at the same time.
 * A request to the queue or the log holds a body several times, escaped and encoded, and the
 * smallest function has 512 MB.
 */
const PAGE_BYTES = 2_097_152;
const BYTES_AT_ONCE = 4 * PAGE_BYTES;

/**
 * Puts one delivery on the queue for every integration of the event's account that is active and
 * subscribed to its type, and lists the deliveries in the delivery log, page by page. Throws
 * `UnroutableEvent` when the event is too large to be delivered.
 *
 * A process that dies here leaves the event in its queue: deliveries already enqueued are enqueued
 * again, with the same ids. An error of the delivery log is returned as `listingFault`, not thrown:
 * the deliveries are enqueued, and each attempt lists its own delivery.
 */
export const buildRouteEvent = (ports: Ports): RouteEvent => {
  const room = createRoom(BYTES_AT_ONCE);
  return async (event, listIntegrations) => {
    const subscribed = (await listIntegrations(event.account)).filter(
      ({ active, settings }) => active && settings.actions[event.type],
    );
    const integrations = subscribed.map(({ id }) => id);
    // Bodies differ in the integration's id alone.
    const [longestId] = integrations.toSorted((a, b) => b.length - a.length);
    if (longestId === undefined) return { integrations };
    const largest = createDelivery(event, longestId);
    if (!ports.deliveries.fits(largest)) {
      throw new UnroutableEvent('the event is too large to be delivered');
    }
    const bytes = Buffer.byteLength(largest.body);
    const pageSize = Math.max(1, Math.floor(PAGE_BYTES / bytes));
    let listing: Listing = {};
    for (let from = 0; from < integrations.length; from += pageSize) {
      const page = subscribed.slice(from, from + pageSize);
      // A log that failed is not waited for again.
      const deliveryLog = 'listingFault' in listing ? undefined : ports.deliveryLog;
      const route = () => routePage(event, page, { ...ports, deliveryLog });
      listing = { ...listing, ...(await room(page.length * bytes, route)) };
    }
    return { integrations, ...listing };
  };
};

const routePage = async (
  event: PlatformEvent,
  integrations: readonly Integration[],
  ports: Omit<Ports, 'deliveryLog'> & { deliveryLog: Ports['deliveryLog'] | undefined },
): Promise<Listing> => {
  const now = ports.now();
  const lanes = { fast: [] as Delivery[], slow: [] as Delivery[] };
  for (const integration of integrations) {
    lanes[laneOf(integration, now)].push(createDelivery(event, integration.id));
  }
  const enqueue = (queue: Pick<DeliveryQueue, 'enqueue'>, deliveries: readonly Delivery[]) =>
    deliveries.length > 0 ? queue.enqueue(deliveries) : undefined;
  const [fast, slow, listed] = await Promise.allSettled([
    enqueue(ports.deliveries, lanes.fast),
    enqueue(ports.slowLane, lanes.slow),
    ports.deliveryLog?.open([...lanes.fast, ...lanes.slow]),
  ]);
  if (fast.status === 'rejected') throw fast.reason;
  if (slow.status === 'rejected') throw slow.reason;
  return listed.status === 'rejected' ? { listingFault: listed.reason } : {};
};

/** The delivery of an event to an integration. Its body is serialised here, once. */
export const createDelivery = (event: PlatformEvent, integration: string): Delivery => ({
  account: event.account,
  integration,
  event: { id: event.id, type: event.type, occurredAt: event.occurredAt },
  body: stringifyForQueue({
    '@context': '/contexts/WebhookDelivery.jsonld',
    '@type': 'WebhookDelivery',
    id: deliveryId(integration, event.id),
    webHook: `/integrations/${integration}`,
    action: event.type,
    timestamp: event.occurredAt,
    data: event.data,
  }),
  trigger: 'event',
  priorAttempts: 0,
});
