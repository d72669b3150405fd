import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryQueue } from '../../../core/delivery/delivery-queue.ts';

export class InMemoryDeliveryQueue implements DeliveryQueue {
  readonly deliveries: Delivery[] = [];
  /** Of each delivery. */
  readonly delaysMs: number[] = [];

  async enqueue(
    deliveries: readonly Delivery[],
    { delayMs = 0 }: { delayMs?: number } = {},
  ): Promise<void> {
    this.deliveries.push(...structuredClone(deliveries));
    this.delaysMs.push(...deliveries.map(() => delayMs));
  }
}
