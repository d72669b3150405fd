import { type Delivery, deliveryId } from '../../../../core/delivery/delivery.ts';
import type { SetAsideEvents } from '../../../../core/delivery/pending/store-pending.ts';

export class InMemorySetAsideEvents implements SetAsideEvents {
  readonly #kept = new Map<string, Delivery>();

  of(integration: string): readonly Delivery[] {
    return [...this.#kept.values()].filter((delivery) => delivery.integration === integration);
  }

  async add(delivery: Delivery): Promise<boolean> {
    const id = deliveryId(delivery.integration, delivery.event.id);
    if (this.#kept.has(id)) return false;
    this.#kept.set(id, delivery);
    return true;
  }

  async has({ integration, event }: Delivery): Promise<boolean> {
    return this.#kept.has(deliveryId(integration, event.id));
  }

  async remove({ integration, event }: Delivery): Promise<boolean> {
    return this.#kept.delete(deliveryId(integration, event.id));
  }
}
