import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { Cursor } from '../../../../core/delivery/delivery-log.ts';
import type { StoredState } from '../../../../core/delivery/pending/pending-events.ts';
import type {
  PendingCount,
  PendingDelivery,
  PendingPage,
  PendingView,
  StoredEvents,
} from '../../../../core/delivery/pending/pending-view.ts';
import { pageOf, positionAt } from '../positions.ts';
import type { InMemoryPendingEvents } from './in-memory-pending-events.ts';
import type { InMemorySetAsideEvents } from './in-memory-set-aside-events.ts';

export class InMemoryPendingView implements PendingView {
  readonly #stores: Readonly<Record<StoredState, { of(id: string): readonly Delivery[] }>>;

  constructor(pending: InMemoryPendingEvents, setAside: InMemorySetAsideEvents) {
    this.#stores = { pending, 'set-aside': setAside };
  }

  async page(stored: StoredEvents, page: { limit: number; after?: Cursor }): Promise<PendingPage> {
    const heads = this.#of(stored).map(({ account, integration, event }) => ({
      account,
      integration,
      event,
    }));
    return pageOf(heads, { order: 'oldest', ...page });
  }

  async count(stored: StoredEvents, upTo: number): Promise<PendingCount> {
    const { length } = this.#of(stored);
    return { count: Math.min(length, upTo), isExact: length <= upTo };
  }

  async isStored({ integration, event }: PendingDelivery, state: StoredState): Promise<boolean> {
    const positions = this.#of({ integration, state }).map((kept) => positionAt(kept.event));
    return positions.includes(positionAt(event));
  }

  #of({ integration, state }: StoredEvents): readonly Delivery[] {
    return this.#stores[state].of(integration);
  }
}
