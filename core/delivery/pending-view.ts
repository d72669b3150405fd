import type { Delivery } from './delivery.ts';
import type { Cursor } from './delivery-log.ts';

/** A delivery that waits, without its body. */
export type PendingDelivery = Pick<Delivery, 'account' | 'integration' | 'event'>;

export interface PendingPage {
  readonly deliveries: readonly PendingDelivery[];
  /** Absent at the end. */
  readonly next?: Cursor;
}

/** How many wait: all of them, or at least so many where there are more than are counted. */
export interface PendingCount {
  readonly count: number;
  readonly isExact: boolean;
}

/** What is pending, to be looked at; `PendingEvents` is what replays it. */
export interface PendingView {
  /** Oldest first by when the events occurred; strongly consistent. May be short with a `next`. */
  page(integration: string, options: { limit: number; after?: Cursor }): Promise<PendingPage>;
  /** Counts no further than `upTo`, nor longer than is cheap. May miss what was just stored. */
  count(integration: string, upTo: number): Promise<PendingCount>;
  /** Strongly consistent. */
  isPending(delivery: PendingDelivery): Promise<boolean>;
}
