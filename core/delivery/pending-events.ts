import type { Delivery } from './delivery.ts';

/** A delivery that waits until its integration can take it. */
export interface PendingEvent {
  readonly delivery: Delivery;
  /** Drawn anew each time it is stored. */
  readonly version: string;
}

export interface PendingEvents {
  /** Durable when it resolves. Stores a delivery that is stored already anew, under a new version. */
  put(delivery: Delivery): Promise<void>;
  /** The oldest of an integration by when they occurred, at most `limit`; strongly consistent. */
  oldest(integration: string, limit: number): Promise<readonly PendingEvent[]>;
  /** Adds one to its `priorAttempts`, only as it was read; its version stays. */
  countAttempt(pending: PendingEvent): Promise<void>;
  /** Whatever its version; nothing happens when there is none. */
  remove(delivery: Delivery): Promise<void>;
  /** Only as it was read: one stored again meanwhile stays. */
  removeAsRead(pending: PendingEvent): Promise<void>;
}
