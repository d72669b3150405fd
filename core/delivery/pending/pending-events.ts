import type { Delivery } from '../delivery.ts';
import type { PendingStore } from './store-pending.ts';

/** Deliveries that are not queued are stored: pending, or set aside. */
export const STORED_STATES = ['pending', 'set-aside'] as const;

export type StoredState = (typeof STORED_STATES)[number];

/** A delivery that is stored until its integration can take it. */
export interface PendingEvent {
  readonly delivery: Delivery;
  /** Changes each time the delivery is stored. */
  readonly version: string;
  /** When its next attempt is due, if it was attempted and waits. RFC 3339. */
  readonly dueAt?: string | undefined;
}

/** Reads and removes pending events, for retries and replays. */
export interface PendingEvents extends PendingStore {
  /**
   * At most `limit`, oldest event first, of all or of those after a position; empty only if there are
   * none. Strongly consistent.
   */
  oldest(
    integration: string,
    limit: number,
    options?: { after: string },
  ): Promise<readonly PendingEvent[]>;
  newest(integration: string, limit: number): Promise<readonly PendingEvent[]>;
  /**
   * At most `limit` of an eighth of the events, oldest first: of those after a position, or of all if
   * none is after it. `random`, in [0, 1), chooses the eighth. Empty only if there are none.
   */
  sample(
    integration: string,
    options: { after?: string | undefined; limit: number; random: number },
  ): Promise<readonly PendingEvent[]>;
  /**
   * The events after a position and up to a last one, oldest first, in pages of one to `limit`. Each
   * is read once, up to several pages ahead; those stored meanwhile may be left out. Strongly
   * consistent.
   */
  pages(
    integration: string,
    options: { limit: number; after?: string | undefined; last: string },
  ): AsyncIterableIterator<readonly PendingEvent[]>;
  /** Adds one to `priorAttempts`, unless the delivery was stored again or removed. */
  countAttempt(pending: PendingEvent): Promise<void>;
  /** Removes the delivery, unless it was stored again since it was read. */
  removeAsRead(pending: PendingEvent): Promise<void>;
  removeAllAsRead(page: readonly PendingEvent[]): Promise<void>;
  /** Removes a page of the events of a deleted integration. Resolves to whether none is left. */
  purgePage(integration: string): Promise<boolean>;
}
