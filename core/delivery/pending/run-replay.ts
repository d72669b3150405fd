import { canDeliver, type IntegrationStore } from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';
import type { PendingEvents } from './pending-events.ts';
import type { ReplayRequests } from './replay-requests.ts';

/**
 * - `drained`: nothing is pending. `stopped`: the integration cannot take deliveries now.
 * - `continued`: time was up, and another run was asked for.
 * - `purged`: the integration is deleted, and its pending events are removed.
 *
 * `replayed`: how many pending events were put on the deliveries queue.
 */
interface ReplayResult {
  readonly kind: 'drained' | 'stopped' | 'continued' | 'purged';
  readonly replayed: number;
}

export type RunReplay = (
  integration: { account: string; id: string },
  hasTime: () => boolean,
) => Promise<ReplayResult>;

export interface RunReplayPorts {
  integrations: IntegrationStore;
  pendingEvents: Pick<PendingEvents, 'oldest' | 'removeAllAsRead' | 'purgePage'>;
  deliveries: Pick<DeliveryQueue, 'enqueue'>;
  replays: ReplayRequests;
}

const PAGE = 100;

/**
 * Puts an integration's pending events back on the deliveries queue, oldest first, page by page,
 * while the integration can take them. Runs for one integration come one at a time.
 *
 * A page is enqueued, then removed: a process that dies in between causes duplicates, never a loss.
 * An event that failed and was stored again meanwhile has a new version, so it is not removed.
 */
export const buildRunReplay =
  (ports: RunReplayPorts): RunReplay =>
  async ({ account, id }, hasTime) => {
    let replayed = 0;
    while (hasTime()) {
      const integration = await ports.integrations.find(account, id);
      if (integration === undefined) {
        if (await ports.pendingEvents.purgePage(id)) return { kind: 'purged', replayed };
        continue;
      }
      if (!canDeliver(integration)) return { kind: 'stopped', replayed };
      const page = await ports.pendingEvents.oldest(id, PAGE);
      if (page.length === 0) return { kind: 'drained', replayed };
      await ports.deliveries.enqueue(page.map(({ delivery }) => replayOf(delivery)));
      replayed += page.length;
      await ports.pendingEvents.removeAllAsRead(page);
    }
    await ports.replays.request({ account, id });
    return { kind: 'continued', replayed };
  };

/** A `manual` delivery keeps its trigger, so that it is sent even if it was delivered before. */
const replayOf = (delivery: Delivery): Delivery => {
  if (delivery.trigger === 'manual') return delivery;
  return { ...delivery, trigger: delivery.backingOffSince === undefined ? 'replay' : 'backoff' };
};
