import { canDeliver, type IntegrationReader } from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { ReplayRequests } from './replay-requests.ts';

/** Deliveries that are not queued are kept: pending, or set aside. */
export const KEPT_STATES = ['pending', 'set-aside'] as const;

export type KeptState = (typeof KEPT_STATES)[number];

/** A delivery that is stored until its integration can take it. */
export interface PendingEvent {
  readonly delivery: Delivery;
  /** Changes each time the delivery is stored. */
  readonly version: string;
  /** When its next attempt is due, if it was attempted and waits. RFC 3339. */
  readonly dueAt?: string | undefined;
}

/** The position of a pending event in its integration: text that sorts oldest first. */
export const placeOf = ({ event }: Pick<Delivery, 'event'>): string =>
  `${new Date(event.occurredAt).toISOString()}#${event.id}`;

export interface PendingEvents {
  /**
   * Stores the delivery of a message, under a new version if it is stored already. Only a `manual`
   * delivery replaces a `manual` one, which is always sent. Durable when it resolves.
   */
  put(delivery: Delivery, options: { messageId: string; dueAt?: Date | undefined }): Promise<void>;
  /**
   * The oldest pending events, oldest first by when the events occurred; at most `limit`. Empty
   * only if none is pending. Strongly consistent.
   */
  oldest(integration: string, limit: number): Promise<readonly PendingEvent[]>;
  /** As `oldest`, the newest ones, newest first. */
  newest(integration: string, limit: number): Promise<readonly PendingEvent[]>;
  /**
   * The pending events after a place and up to a last one, oldest first, in pages of one to
   * `limit`. Each event is read once, up to several pages ahead; events stored meanwhile may be
   * left out. Strongly consistent.
   */
  pages(
    integration: string,
    options: { limit: number; after?: string | undefined; last: string },
  ): AsyncIterableIterator<readonly PendingEvent[]>;
  /**
   * Adds one to `priorAttempts` and sets `refusedAt`, unless the delivery was stored again or
   * removed meanwhile.
   */
  countAttempt(pending: PendingEvent, latest: Pick<Delivery, 'refusedAt'>): Promise<void>;
  /** Removes the delivery, unless another message than this one stored it last. */
  removeOf(delivery: Delivery, options: { messageId: string }): Promise<void>;
  /** Removes the delivery, unless it was stored again since it was read. */
  removeAsRead(pending: PendingEvent): Promise<void>;
  /** Removes each of the deliveries, unless it was stored again since it was read. */
  removeAllAsRead(page: readonly PendingEvent[]): Promise<void>;
  /**
   * Removes a page of the pending and set-aside events of a deleted integration. Resolves to
   * whether none is left.
   */
  purgePage(integration: string): Promise<boolean>;
}

/** `messageId`: the id of the delivery's message. */
export type StorePending = (delivery: Delivery, options: { messageId: string }) => Promise<void>;

/**
 * Stores a delivery as pending, then reads its integration again. If the integration can take
 * deliveries by then, the replay at the end of its trouble may have run too early, so another
 * replay is requested. If the integration is deleted by then, the delivery is removed.
 *
 * If the process dies in between, the message is received again: the delivery is stored again, or
 * is delivered and then removed from the pending events.
 */
export const buildStorePending =
  (ports: {
    pendingEvents: Pick<PendingEvents, 'put' | 'removeOf'>;
    integrations: Pick<IntegrationReader, 'find'>;
    replays: ReplayRequests;
  }): StorePending =>
  async (delivery, { messageId }) => {
    await ports.pendingEvents.put({ ...delivery, backsOff: undefined }, { messageId });
    const { account, integration: id } = delivery;
    const integration = await ports.integrations.find(account, id);
    if (integration === undefined) await ports.pendingEvents.removeOf(delivery, { messageId });
    else if (canDeliver(integration)) {
      await ports.replays.request({ account, id }, { onlyDue: true });
    }
  };

/**
 * Deliveries that are set aside: stored apart from the pending events, and attempted only by a
 * caller's resend or recovery.
 */
export interface SetAsideEvents {
  /** Resolves to whether the delivery was not set aside already. Durable when it resolves. */
  add(delivery: Delivery): Promise<boolean>;
  /** Strongly consistent. */
  has(delivery: Delivery): Promise<boolean>;
  /** Resolves to whether the delivery was set aside. */
  remove(delivery: Delivery): Promise<boolean>;
}
