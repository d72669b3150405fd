import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PendingEvent, PendingEvents } from '../../core/delivery/pending-events.ts';

/** Versions are numbered. */
export class InMemoryPendingEvents implements PendingEvents {
  readonly #pending = new Map<string, Map<string, PendingEvent>>();
  #puts = 0;

  of(integration: string): readonly Delivery[] {
    return this.#oldestFirst(integration).map(({ delivery }) => delivery);
  }

  async put(delivery: Delivery): Promise<void> {
    this.#puts += 1;
    const kept = this.#pending.get(delivery.integration) ?? new Map<string, PendingEvent>();
    this.#pending.set(delivery.integration, kept);
    kept.set(keyOf(delivery), { delivery, version: String(this.#puts) });
  }

  async oldest(integration: string, limit: number): Promise<readonly PendingEvent[]> {
    return this.#oldestFirst(integration).slice(0, limit);
  }

  async countAttempt(pending: PendingEvent): Promise<void> {
    const stored = this.#asRead(pending);
    if (stored === undefined) return;
    const { delivery, version } = stored;
    this.#pending.get(delivery.integration)?.set(keyOf(delivery), {
      delivery: { ...delivery, priorAttempts: delivery.priorAttempts + 1 },
      version,
    });
  }

  async remove(delivery: Delivery): Promise<void> {
    this.#pending.get(delivery.integration)?.delete(keyOf(delivery));
  }

  async removeAsRead(pending: PendingEvent): Promise<void> {
    if (this.#asRead(pending) !== undefined) await this.remove(pending.delivery);
  }

  #asRead({ delivery, version }: PendingEvent): PendingEvent | undefined {
    const stored = this.#pending.get(delivery.integration)?.get(keyOf(delivery));
    return stored?.version === version ? stored : undefined;
  }

  #oldestFirst(integration: string): PendingEvent[] {
    const kept = this.#pending.get(integration) ?? [];
    return [...kept].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, pending]) => pending);
  }
}

const keyOf = ({ event: { id, occurredAt } }: Delivery): string =>
  `${new Date(occurredAt).toISOString()}#${id}`;
