import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryQueue } from '../../../core/delivery/delivery-queue.ts';

export class InMemoryDeliveryQueue implements DeliveryQueue {
  readonly deliveries: Delivery[] = [];

  async enqueue(deliveries: readonly Delivery[]): Promise<void> {
    this.deliveries.push(...structuredClone(deliveries));
  }
}
