import { messageBytes } from '../../../adapters/sqs/sqs-delivery-queue.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryQueue } from '../../../core/delivery/delivery-queue.ts';

const MAX_BYTES = 1_048_576;

export class InMemoryDeliveryQueue implements DeliveryQueue {
  readonly deliveries: Delivery[] = [];
  /** Of each delivery. */
  readonly delaysMs: number[] = [];

  fits(delivery: Delivery): boolean {
    return messageBytes(delivery) <= MAX_BYTES;
  }

  async enqueue(
    deliveries: readonly Delivery[],
    { delayMs = 0 }: { delayMs?: number } = {},
  ): Promise<void> {
    this.deliveries.push(...structuredClone(deliveries));
    this.delaysMs.push(...deliveries.map(() => delayMs));
  }
}
