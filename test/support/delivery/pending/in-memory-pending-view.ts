import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { Cursor } from '../../../../core/delivery/delivery-log.ts';
import type { KeptState } from '../../../../core/delivery/pending/pending-events.ts';
import type {
  Kept,
  PendingCount,
  PendingDelivery,
  PendingPage,
  PendingView,
} from '../../../../core/delivery/pending/pending-view.ts';
import { pageOf, positionAt } from '../positions.ts';
import type { InMemoryPendingEvents } from './in-memory-pending-events.ts';
import type { InMemorySetAsideEvents } from './in-memory-set-aside-events.ts';

export class InMemoryPendingView implements PendingView {
  readonly #stores: Readonly<Record<KeptState, { of(id: string): readonly Delivery[] }>>;

  constructor(pending: InMemoryPendingEvents, setAside: InMemorySetAsideEvents) {
    this.#stores = { pending, 'set-aside': setAside };
  }

  async page(kept: Kept, page: { limit: number; after?: Cursor }): Promise<PendingPage> {
    const heads = this.#of(kept).map(({ account, integration, event }) => ({
      account,
      integration,
      event,
    }));
    return pageOf(heads, { order: 'oldest', ...page });
  }

  async count(kept: Kept, upTo: number): Promise<PendingCount> {
    const { length } = this.#of(kept);
    return { count: Math.min(length, upTo), isExact: length <= upTo };
  }

  async isKept({ integration, event }: PendingDelivery, state: KeptState): Promise<boolean> {
    const positions = this.#of({ integration, state }).map((kept) => positionAt(kept.event));
    return positions.includes(positionAt(event));
  }

  #of({ integration, state }: Kept): readonly Delivery[] {
    return this.#stores[state].of(integration);
  }
}
