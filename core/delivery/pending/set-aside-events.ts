import type { Delivery } from '../delivery.ts';

/**
 * Deliveries that are set aside: kept apart from the pending events, so that no retry and no replay
 * attempts them. A caller's resend or recovery does.
 */
export interface SetAsideEvents {
  /** Resolves to whether the delivery was not set aside already. Durable when it resolves. */
  add(delivery: Delivery): Promise<boolean>;
  /** Strongly consistent. */
  has(delivery: Delivery): Promise<boolean>;
  /** Resolves to whether the delivery was set aside. */
  remove(delivery: Delivery): Promise<boolean>;
}
