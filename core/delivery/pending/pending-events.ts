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
  /** Stores a delivery; if it is stored already, under a new version. Durable when it resolves. */
  put(delivery: Delivery): Promise<void>;
  /**
   * An integration's oldest pending events, oldest first by when the events occurred; at most
   * `limit`, and none only when none is pending. Strongly consistent.
   */
  oldest(integration: string, limit: number): Promise<readonly PendingEvent[]>;
  /** Adds one to `priorAttempts`, unless the delivery was stored again or removed meanwhile. */
  countAttempt(pending: PendingEvent): Promise<void>;
  /** Removes the delivery whatever its version. Does nothing when it is not stored. */
  remove(delivery: Delivery): Promise<void>;
  /** Removes the delivery, unless it was stored again since it was read. */
  removeAsRead(pending: PendingEvent): Promise<void>;
}

export type StorePending = (delivery: Delivery) => Promise<void>;

/**
 * Stores a delivery as pending, then reads its integration again. If the integration can take
 * deliveries by then, the replay that followed the end of its trouble may have run too early, so
 * another replay is asked for. If the integration is deleted by then, the delivery is removed.
 *
 * A process that dies between the two steps leaves the message in its queue: the delivery is stored
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
