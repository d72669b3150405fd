import { createDelivery, type Delivery } from '../delivery/delivery.ts';
import type { Integration } from '../integrations/integration.ts';
import { type PlatformEvent, UnroutableEvent } from './event.ts';

export interface DeliveryQueue {
  /** All of them are durable when it resolves. When it throws, some may be. */
  enqueue(deliveries: readonly Delivery[]): Promise<void>;
  /** Largest delivery the queue can carry, with what travels beside its body. */
  fits(delivery: Delivery): boolean;
}

export type RouteEvent = (
  event: PlatformEvent,
  listIntegrations: (account: string) => Promise<readonly Integration[]>,
) => Promise<readonly Delivery[]>;

/**
 * Puts one delivery on the queue for every integration of the event's account that is active and
 * subscribed to its type. None: nothing happens. Throws `UnroutableEvent` when the event is too
 * large to be delivered.
 *
 * A process that dies within it leaves the event in its queue: deliveries already enqueued are
 * enqueued again, with the same ids.
 */
export const createRouteEvent =
  (ports: { deliveries: DeliveryQueue }): RouteEvent =>
  async (event, listIntegrations) => {
    const integrations = await listIntegrations(event.account);
    const deliveries = integrations
      .filter(({ active, settings }) => active && settings.actions[event.type])
      .map(({ id }) => createDelivery(event, id));
    if (!deliveries.every((delivery) => ports.deliveries.fits(delivery))) {
      throw new UnroutableEvent('the event is too large to be delivered');
    }
    if (deliveries.length > 0) await ports.deliveries.enqueue(deliveries);
    return deliveries;
  };
