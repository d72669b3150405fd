import { createDelivery, type Delivery } from '../delivery/delivery.ts';
import type { DeliveryLog } from '../delivery/delivery-log.ts';
import type { Integration } from '../integrations/integration.ts';
import { type PlatformEvent, UnroutableEvent } from './event.ts';

export interface DeliveryQueue {
  /** All of them are durable when it resolves. When it throws, some may be. */
  enqueue(deliveries: readonly Delivery[]): Promise<void>;
  /** Largest delivery the queue can carry, with what travels beside its body. */
  fits(delivery: Delivery): boolean;
}

/** What was enqueued, and why it is not listed in the delivery log if it is not. */
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
 * subscribed to its type, and lists them in the delivery log. None: nothing happens. Throws
 * `UnroutableEvent` when the event is too large to be delivered.
 *
 * A process that dies within it leaves the event in its queue: deliveries already enqueued are
 * enqueued again, with the same ids. A delivery log that cannot be written is reported, not thrown:
 * the deliveries are on their way, and each attempt lists its own.
 */
export const createRouteEvent =
  (ports: { deliveries: DeliveryQueue; deliveryLog: DeliveryLog }): RouteEvent =>
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
