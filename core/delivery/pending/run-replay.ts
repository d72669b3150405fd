import { canDeliver, type IntegrationStore } from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';
import type { PendingEvent, PendingEvents } from './pending-events.ts';
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
  pendingEvents: Pick<PendingEvents, 'pages' | 'removeAllAsRead' | 'purgePage'>;
  deliveries: DeliveryQueue;
  replays: ReplayRequests;
}

/**
 * With their bodies, of 256 KiB at most, at most 26 MB. Three pages are in memory at once: one that
 * is removed, one that is enqueued and one that is read.
 */
const PAGE = 100;

/**
 * Puts an integration's pending events back on the deliveries queue, oldest first, page by page,
 * while the integration can take them. Runs for one integration come one at a time.
 *
 * A page is enqueued, then removed: a process that dies in between causes duplicates, never a loss.
 * While a page is removed, the next is enqueued, and the one after is read: so a death concerns two
 * pages. An event that failed and was stored again meanwhile has a new version, so it is not removed.
 */
export const buildRunReplay =
  (ports: RunReplayPorts): RunReplay =>
  async ({ account, id }, hasTime) => {
    let replayed = 0;
    let removal: Promise<void> = Promise.resolve();
    const pages = untilNone(
      () => readAhead(ports.pendingEvents.pages(id, PAGE)),
      () => removal,
    );
    const copyPages = async (): Promise<ReplayResult['kind']> => {
      while (hasTime()) {
        const integration = await ports.integrations.find(account, id);
        if (integration === undefined) {
          if (await ports.pendingEvents.purgePage(id)) return 'purged';
          continue;
        }
        if (!canDeliver(integration)) return 'stopped';
        const { value: page } = await pages.next();
        if (page === undefined) return 'drained';
        await ports.deliveries.enqueue(page.map(({ delivery }) => replayOf(delivery)));
        replayed += page.length;
        await removal;
        removal = awaitedLater(ports.pendingEvents.removeAllAsRead(page));
      }
      await removal;
      await ports.replays.request({ account, id });
      return 'continued';
    };
    try {
      return { kind: await copyPages(), replayed };
    } finally {
      await pages.return(undefined);
      await removal;
    }
  };

/** A `manual` delivery keeps its trigger, so that it is sent even if it was delivered before. */
const replayOf = (delivery: Delivery): Delivery => {
  if (delivery.trigger === 'manual') return delivery;
  return { ...delivery, trigger: delivery.backingOffSince === undefined ? 'replay' : 'backoff' };
};

type Pages = AsyncIterator<readonly PendingEvent[], undefined>;

/**
 * Pass after pass, until a pass has no page: an event that is stored during a pass may belong before
 * the page that the pass has come to. `between` is awaited after each pass: until then, the next pass
 * would read again what is about to be removed.
 */
async function* untilNone(
  pass: () => AsyncIterable<readonly PendingEvent[]>,
  between: () => Promise<void>,
): AsyncGenerator<readonly PendingEvent[], undefined> {
  for (let isNone = false; !isNone; await between()) {
    isNone = true;
    for await (const page of pass()) {
      isNone = false;
      yield page;
    }
  }
}

/** Reads a page while the page before is worked on. */
async function* readAhead(pages: Pages): AsyncGenerator<readonly PendingEvent[], undefined> {
  let next = pages.next();
  try {
    for (;;) {
      const { value: page } = await next;
      if (page === undefined) return;
      next = awaitedLater(pages.next());
      yield page;
    }
  } finally {
    await Promise.allSettled([next]);
  }
}

/** A promise that rejects before something awaits it would end the process. */
const awaitedLater = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {});
  return promise;
};
