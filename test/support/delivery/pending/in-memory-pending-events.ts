import {
  PARTITIONS,
  partitionNumberOf,
} from '../../../../adapters/dynamodb/table/stored-deliveries.ts';
import { afterAttempt, type Delivery, positionOf } from '../../../../core/delivery/delivery.ts';
import type {
  PendingEvent,
  PendingEvents,
} from '../../../../core/delivery/pending/pending-events.ts';

/** Versions are numbered. */
export class InMemoryPendingEvents implements PendingEvents {
  readonly #pending = new Map<string, Map<string, PendingEvent>>();
  #puts = 0;

  of(integration: string): readonly Delivery[] {
    return this.eventsOf(integration).map(({ delivery }) => delivery);
  }

  eventsOf(integration: string): readonly PendingEvent[] {
    return this.#oldestFirst(integration);
  }

  async put(
    delivery: Delivery,
    { messageId, dueAt }: { messageId: string; dueAt?: Date | undefined },
  ): Promise<void> {
    this.#puts += 1;
    const pending = this.#pending.get(delivery.integration) ?? new Map<string, PendingEvent>();
    this.#pending.set(delivery.integration, pending);
    const position = positionOf(delivery);
    const wasManual = pending.get(position)?.delivery.trigger === 'manual';
    if (wasManual && delivery.trigger !== 'manual') return;
    pending.set(position, {
      delivery,
      version: `${messageId} ${this.#puts}`,
      dueAt: dueAt?.toISOString(),
    });
  }

  async oldest(
    integration: string,
    limit: number,
    { after = '' } = {},
  ): Promise<readonly PendingEvent[]> {
    return this.#oldestFirst(integration)
      .filter(({ delivery }) => positionOf(delivery) > after)
      .slice(0, limit);
  }

  async newest(integration: string, limit: number): Promise<readonly PendingEvent[]> {
    return this.#oldestFirst(integration).toReversed().slice(0, limit);
  }

  async sample(
    integration: string,
    { after = '', limit, random }: { after?: string | undefined; limit: number; random: number },
  ): Promise<readonly PendingEvent[]> {
    const parts = Map.groupBy(this.#oldestFirst(integration), ({ delivery }) =>
      partitionNumberOf(delivery.event.id),
    );
    const numbers = Array.from({ length: PARTITIONS }, (_, number) => number);
    const start = Math.floor(random * PARTITIONS);
    const part = [...numbers.slice(start), ...numbers].find((number) => parts.has(number));
    const all = (part !== undefined && parts.get(part)) || [];
    const later = all.filter(({ delivery }) => positionOf(delivery) > after);
    return (later.length > 0 ? later : all).slice(0, limit);
  }

  /** All are read before the first page. */
  async *pages(
    integration: string,
    { limit, after = '', last }: { limit: number; after?: string | undefined; last: string },
  ) {
    const pending = this.#oldestFirst(integration).filter(({ delivery }) => {
      const place = positionOf(delivery);
      return place > after && place <= last;
    });
    for (let start = 0; start < pending.length; start += limit) {
      yield pending.slice(start, start + limit);
    }
  }

  async countAttempt(pending: PendingEvent): Promise<void> {
    const stored = this.#asRead(pending);
    if (stored === undefined) return;
    const { delivery } = stored;
    this.#pending.get(delivery.integration)?.set(positionOf(delivery), {
      ...stored,
      delivery: afterAttempt(delivery, delivery.backoff),
    });
  }

  async removeOf(delivery: Delivery, { messageId }: { messageId: string }): Promise<void> {
    const stored = this.#pending.get(delivery.integration)?.get(positionOf(delivery));
    if (stored?.version.startsWith(`${messageId} `)) this.#remove(delivery);
  }

  async removeAsRead(pending: PendingEvent): Promise<void> {
    if (this.#asRead(pending) !== undefined) this.#remove(pending.delivery);
  }

  async removeAllAsRead(page: readonly PendingEvent[]): Promise<void> {
    await Promise.all(page.map((pending) => this.removeAsRead(pending)));
  }

  async purgePage(integration: string): Promise<boolean> {
    this.#pending.delete(integration);
    return true;
  }

  #remove(delivery: Delivery): void {
    this.#pending.get(delivery.integration)?.delete(positionOf(delivery));
  }

  #asRead({ delivery, version }: PendingEvent): PendingEvent | undefined {
    const stored = this.#pending.get(delivery.integration)?.get(positionOf(delivery));
    return stored?.version === version ? stored : undefined;
  }

  #oldestFirst(integration: string): PendingEvent[] {
    const pending = this.#pending.get(integration) ?? [];
    return [...pending].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, pending]) => pending);
  }
}
