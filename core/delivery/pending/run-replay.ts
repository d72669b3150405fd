import { canReplay, type IntegrationReader } from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';
import type { PendingEvent, PendingEvents } from './pending-events.ts';
import type { ReplayRequest, ReplayRequests, Rest } from './replay-requests.ts';
import { placeOf } from './store-pending.ts';

/**
 * - `stopped`: the integration cannot take deliveries now.
 * - `continued`: time was up, and another run was requested.
 * - `purged`: the integration is deleted, and its pending events are removed.
 */
interface ReplayResult {
  readonly kind: 'completed' | 'stopped' | 'continued' | 'purged';
  readonly replayed: number;
}

export type RunReplay = (
  request: Omit<ReplayRequest, 'recovery'>,
  hasTime: () => boolean,
) => Promise<ReplayResult>;

export interface RunReplayPorts {
  integrations: Pick<IntegrationReader, 'find'>;
  pendingEvents: Pick<PendingEvents, 'newest' | 'pages' | 'removeAllAsRead' | 'purgePage'>;
  deliveries: DeliveryQueue;
  replays: ReplayRequests;
  now: () => Date;
}

/** 26 MB with bodies of 256 KiB. One page is removed, one enqueued and one read at a time. */
const PAGE = 100;

/**
 * Puts pending events back on the deliveries queue, oldest first, while the integration can take
 * them. A replay is one pass over the events that are pending when it begins: an event that fails
 * again waits for its own replay. A run that is out of time requests another, which goes on where
 * it stopped.
 *
 * A page is enqueued, then removed, so a process that dies causes duplicates, of two pages at most,
 * and never a loss. An event that was stored again meanwhile has a new version, and stays.
 */
export const buildRunReplay =
  (ports: RunReplayPorts): RunReplay =>
  async ({ account, id, onlyDue = false, rest: given }, hasTime) => {
    let replayed = 0;
    let removal: Promise<void> = Promise.resolve();
    let rest = given ?? (await wholeOf(id, ports));
    const pages = readAhead(
      rest ? ports.pendingEvents.pages(id, { limit: PAGE, ...rest }) : none(),
    );
    const isDue = dueAt(ports.now(), onlyDue);
    const copyPages = async (): Promise<ReplayResult['kind']> => {
      while (hasTime()) {
        const integration = await ports.integrations.find(account, id);
        if (integration === undefined) {
          if (await ports.pendingEvents.purgePage(id)) return 'purged';
          continue;
        }
        if (!canReplay(integration)) return 'stopped';
        const { value: read } = await pages.next();
        if (read === undefined) return 'completed';
        const page = read.filter(isDue);
        await ports.deliveries.enqueue(page.map(({ delivery }) => replayOf(delivery)));
        replayed += page.length;
        rest = rest && { ...rest, after: placeOfLast(read) };
        await removal;
        removal = awaitedLater(ports.pendingEvents.removeAllAsRead(page));
      }
      await removal;
      await ports.replays.request({ account, id }, { onlyDue, rest });
      return 'continued';
    };
    try {
      return { kind: await copyPages(), replayed };
    } finally {
      await pages.return(undefined);
      await removal;
    }
  };

const wholeOf = async (
  id: string,
  { pendingEvents }: Pick<RunReplayPorts, 'pendingEvents'>,
): Promise<Rest | undefined> => {
  const [newest] = await pendingEvents.newest(id, 1);
  return newest && { last: placeOf(newest.delivery) };
};

async function* none(): AsyncGenerator<never, undefined> {}

const placeOfLast = (page: readonly PendingEvent[]): string | undefined =>
  page.map(({ delivery }) => placeOf(delivery)).at(-1);

const dueAt =
  (now: Date, onlyDue: boolean) =>
  (pending: PendingEvent): boolean =>
    !onlyDue || pending.dueAt === undefined || Date.parse(pending.dueAt) <= now.getTime();

/** A `manual` delivery keeps its trigger: it is sent even if it was delivered before. */
const replayOf = (delivery: Delivery): Delivery => {
  if (delivery.trigger === 'manual') return delivery;
  return { ...delivery, trigger: delivery.backingOffSince === undefined ? 'replay' : 'backoff' };
};

type Pages = AsyncIterator<readonly PendingEvent[], undefined>;

/** Reads a page while the previous one is processed. */
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

/** Keeps a promise that rejects before it is awaited from ending the process. */
const awaitedLater = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {});
  return promise;
};
