import { canDeliver, type IntegrationStore } from '../integrations/integration.ts';
import type { Delivery } from './delivery.ts';
import type { PendingEvents } from './pending-events.ts';
import type { ReplayRequests } from './replay-requests.ts';

export type HoldDelivery = (delivery: Delivery) => Promise<void>;

/**
 * Stores a delivery as pending, then looks at its integration again: one that recovered meanwhile
 * may have had its replay already, so it is asked for another. Either the replay sees the event,
 * or this does.
 *
 * A process that dies between the two leaves the message in its queue: it is held again, or
 * delivered and then no longer pending.
 */
export const createHoldDelivery =
  (ports: {
    pendingEvents: PendingEvents;
    integrations: IntegrationStore;
    replays: ReplayRequests;
  }): HoldDelivery =>
  async (delivery) => {
    await ports.pendingEvents.put(delivery);
    const { account, integration: id } = delivery;
    const integration = await ports.integrations.find(account, id);
    if (integration === undefined) await ports.pendingEvents.remove(delivery);
    else if (canDeliver(integration)) await ports.replays.request({ account, id });
  };
