import { canDeliver, type IntegrationStore } from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { ReplayRequests } from './replay-requests.ts';

/** A delivery that is stored until its integration can take it. */
export interface PendingEvent {
  readonly delivery: Delivery;
  /** Drawn anew each time the delivery is stored. */
  readonly version: string;
}

export interface PendingEvents {
  /** Durable when it resolves. A delivery that is stored already gets a new version. */
  put(delivery: Delivery): Promise<void>;
  /** The oldest of an integration by when the events occurred, at most `limit`; strongly consistent. */
  oldest(integration: string, limit: number): Promise<readonly PendingEvent[]>;
  /** Adds one to `priorAttempts`, if the version is still the one that was read. */
  countAttempt(pending: PendingEvent): Promise<void>;
  /** Removes the delivery whatever its version; nothing happens when none is stored. */
  remove(delivery: Delivery): Promise<void>;
  /** Removes the version that was read: a delivery that was stored again meanwhile stays. */
  removeAsRead(pending: PendingEvent): Promise<void>;
}

export type StorePending = (delivery: Delivery) => Promise<void>;

/**
 * Stores a delivery as pending, then looks at its integration again. If the integration's trouble
 * ended meanwhile, its replay may have run already, so another replay is asked for: either the
 * replay sees the pending event, or this second look does.
 *
 * A process that dies between the two leaves the message in its queue: the delivery is stored
 * again, or is delivered and then removed from the pending events.
 */
export const buildStorePending =
  (ports: {
    pendingEvents: PendingEvents;
    integrations: IntegrationStore;
    replays: ReplayRequests;
  }): StorePending =>
  async (delivery) => {
    await ports.pendingEvents.put(delivery);
    const { account, integration: id } = delivery;
    const integration = await ports.integrations.find(account, id);
    if (integration === undefined) await ports.pendingEvents.remove(delivery);
    else if (canDeliver(integration)) await ports.replays.request({ account, id });
  };
