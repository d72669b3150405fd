import { type PlatformEvent, UnroutableEvent } from '../event/event.ts';
import { stringifyForQueue } from '../event/exact-json.ts';
import type { Integration } from '../integration/integration.ts';
import { type Delivery, deliveryId } from './delivery.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { DeliveryQueue } from './delivery-queue.ts';

/** `listingFault`: the error, if the deliveries could not be listed in the delivery log. */
export interface RoutedEvent {
  readonly deliveries: readonly Delivery[];
  readonly listingFault?: unknown;
}

export type RouteEvent = (
  event: PlatformEvent,
  listIntegrations: (account: string) => Promise<readonly Integration[]>,
) => Promise<RoutedEvent>;

/**
 * Puts one delivery on the queue for every integration of the event's account that is active and
 * subscribed to its type, and lists the deliveries in the delivery log. Throws `UnroutableEvent`
 * when the event is too large to be delivered.
 *
 * A process that dies here leaves the event in its queue: deliveries already enqueued are enqueued
 * again, with the same ids. An error of the delivery log is returned as `listingFault`, not thrown:
 * the deliveries are enqueued, and each attempt lists its own delivery.
 */
export const buildRouteEvent =
  (ports: { deliveries: DeliveryQueue; deliveryLog: Pick<DeliveryLog, 'open'> }): RouteEvent =>
  async (event, listIntegrations) => {
    const integrations = await listIntegrations(event.account);
    const deliveries = integrations
      .filter(({ active, settings }) => active && settings.actions[event.type])
      .map(({ id }) => createDelivery(event, id));
    if (!deliveries.every((delivery) => ports.deliveries.fits(delivery))) {
      throw new UnroutableEvent('the event is too large to be delivered');
    }
    if (deliveries.length === 0) return { deliveries };
    const [enqueued, listed] = await Promise.allSettled([
      ports.deliveries.enqueue(deliveries),
      ports.deliveryLog.open(deliveries),
    ]);
    if (enqueued.status === 'rejected') throw enqueued.reason;
    return { deliveries, ...(listed.status === 'rejected' && { listingFault: listed.reason }) };
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
