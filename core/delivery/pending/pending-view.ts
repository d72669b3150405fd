import type { Delivery } from '../delivery.ts';
import type { Cursor } from '../delivery-log.ts';
import type { StoredState } from './pending-events.ts';

export interface StoredEvents {
  readonly integration: string;
  readonly state: StoredState;
}

/** A pending delivery or a delivery that is set aside, without its body. */
export type PendingDelivery = Pick<Delivery, 'account' | 'integration' | 'event'>;

export interface PendingPage {
  readonly deliveries: readonly PendingDelivery[];
  /** Absent at the end. */
  readonly next?: Cursor;
}

/** `isExact` is false where more may be stored. */
export interface PendingCount {
  readonly count: number;
  readonly isExact: boolean;
}

export interface PendingView {
  /** Oldest event first; may miss recent events. A page with a `next` may have fewer than `limit`. */
  page(
    stored: StoredEvents,
    options: { limit: number; after?: Cursor | undefined },
  ): Promise<PendingPage>;
  /** Counts up to `upTo`, and fewer if counting costs too much. May miss recent events. */
  count(stored: StoredEvents, upTo: number): Promise<PendingCount>;
  /** Strongly consistent. A delivery that was set aside and resent can be stored in both states. */
  isStored(delivery: PendingDelivery, state: StoredState): Promise<boolean>;
}
