import type { SlotStore, Slots } from '../../../../core/delivery/sending/backoff.ts';
import type { IntegrationKey } from '../../../../core/integration/integration.ts';

export class InMemorySlotStore implements SlotStore {
  readonly #taken = new Map<string, Slots>();

  of(integration: string): Slots {
    return this.#taken.get(integration) ?? {};
  }

  async takeSlot(
    { id }: IntegrationKey,
    { slot, now, until }: { slot: string; now: number; until: number },
  ): Promise<'taken' | Slots> {
    const slots = this.of(id);
    if ((slots[slot] ?? 0) > now) return slots;
    this.#taken.set(id, { ...slots, [slot]: until });
    return 'taken';
  }
}
