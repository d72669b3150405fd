import { type Delivery, deliveryId } from '../../core/delivery/delivery.ts';
import type { LogEntry } from '../../core/delivery/delivery-log.ts';
import { InMemoryDeliveryLog } from '../support/delivery/in-memory-delivery-log.ts';
import { InMemoryPendingEvents } from '../support/delivery/pending/in-memory-pending-events.ts';
import type { InMemorySetAsideEvents } from '../support/delivery/pending/in-memory-set-aside-events.ts';
import type { Journal } from './journal.ts';

/** Has small pages, so that a replay takes several. */
export class PagedPendingEvents extends InMemoryPendingEvents {
  readonly #setAside: InMemorySetAsideEvents;
  readonly #pageSize: number;

  constructor(setAside: InMemorySetAsideEvents, pageSize: number) {
    super();
    this.#setAside = setAside;
    this.#pageSize = pageSize;
  }

  override async purgePage(integration: string) {
    for (const delivery of this.#setAside.of(integration)) await this.#setAside.remove(delivery);
    return super.purgePage(integration);
  }

  override async *pages(...[integration, page]: Parameters<InMemoryPendingEvents['pages']>) {
    yield* super.pages(integration, { ...page, limit: Math.min(page.limit, this.#pageSize) });
  }
}

/** Has small pages, so that a recovery takes several. */
export class PagedDeliveryLog extends InMemoryDeliveryLog {
  readonly #journal: Journal;
  readonly #now: () => number;
  /** By delivery id: when the log has known, and since when it was so. */
  readonly #confirmed = new Map<string, { deliveredAt: string; knownAtMs: number }>();

  constructor(journal: Journal, now: () => number) {
    super();
    this.#journal = journal;
    this.#now = now;
  }

  override undelivered(...[integration, page]: Parameters<InMemoryDeliveryLog['undelivered']>) {
    return super.undelivered(integration, { ...page, limit: Math.min(page.limit, 2) });
  }

  /** Checks that a delivery that was confirmed once stays confirmed. */
  override async write(entries: readonly LogEntry[]): Promise<readonly boolean[]> {
    const written = await super.write(entries);
    for (const { delivery } of entries) {
      const id = deliveryId(delivery.integration, delivery.event.id);
      const deliveredAt = this.listed.get(id)?.deliveredAt;
      const known = this.#confirmed.get(id);
      if (known !== undefined && known.deliveredAt !== deliveredAt) {
        this.#journal.violated('The log shows a confirmed delivery as not confirmed.');
      }
      if (known === undefined && deliveredAt !== undefined) {
        this.#confirmed.set(id, { deliveredAt, knownAtMs: this.#now() });
      }
    }
    return written;
  }

  /** Whether the log has shown the delivery as confirmed before an instant. */
  knewBefore(id: string, beforeMs: number): boolean {
    return (this.#confirmed.get(id)?.knownAtMs ?? Number.POSITIVE_INFINITY) < beforeMs;
  }

  /** Whether the log shows an attempt of a delivery that began before an instant. */
  attemptedBefore({ integration, event }: Delivery, before: Date): boolean {
    return this.attempts.some(
      (attempt) =>
        attempt.integration === integration &&
        attempt.event.id === event.id &&
        attempt.startedAt < before,
    );
  }

  /** Whether the log shows that another delivery was confirmed in a time, known at its end. */
  confirmsOthers(
    { integration, event }: Delivery,
    { since, until }: { since: Date; until: Date },
  ): boolean {
    const others = this.latest(integration).filter((other) => other.event.id !== event.id);
    return others.some(({ event: other, deliveredAt = '' }) => {
      const isKnown = this.knewBefore(deliveryId(integration, other.id), until.getTime());
      return isKnown && deliveredAt >= since.toISOString() && deliveredAt <= until.toISOString();
    });
  }
}
