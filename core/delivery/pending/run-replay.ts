import {
  canReplay,
  type Integration,
  type IntegrationReader,
} from '../../integration/integration.ts';
import { type Delivery, positionOf } from '../delivery.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';
import { laneOf } from '../lanes.ts';
import type { PendingEvent, PendingEvents } from './pending-events.ts';
import type { ReplayRequest, ReplayRequests, Rest } from './replay-requests.ts';
import { buildSteps, type StepPorts } from './steps.ts';

/**
 * - `stopped`: the integration cannot take deliveries now.
 * - `continued`: another run was requested, because time was up or the endpoint has not answered.
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

export interface RunReplayPorts extends StepPorts {
  integrations: Pick<IntegrationReader, 'find'>;
  pendingEvents: Pick<PendingEvents, 'newest' | 'pages' | 'removeAllAsRead' | 'purgePage'>;
  deliveries: DeliveryQueue;
  slowLane: DeliveryQueue;
  replays: ReplayRequests;
}

/** 26 MB with bodies of 256 KiB. One page is removed, one enqueued and one read at a time. */
const PAGE = 100;

/**
 * Puts pending events back on the queue of the integration's lane, oldest first, in growing steps,
 * while the integration can take them. A replay is one pass over the events that are pending when
 * it begins: an event that fails again waits for its own replay. A run that is out of time, or that
 * waits for the endpoint's answers, requests another, which goes on where it stopped.
 *
 * A page is enqueued, then removed, so a process that dies causes duplicates, of two pages at most,
 * and never a loss. An event that was stored again meanwhile has a new version, and stays.
 */
export const buildRunReplay =
  (ports: RunReplayPorts): RunReplay =>
  async ({ account, id, onlyDue = false, rest: given, step }, hasTime) => {
    let replayed = 0;
    let removal: Promise<void> = Promise.resolve();
    let rest = given ?? (await wholeOf(id, ports));
    const steps = buildSteps(ports, { integration: id, given: step });
    const pages = rest ? ports.pendingEvents.pages(id, { limit: PAGE, ...rest }) : none();
    let page: readonly PendingEvent[] | undefined = [];
    let ahead = awaitedLater(pages.next());
    const isDue = dueAt(ports.now(), onlyDue);
    const copyPages = async (): Promise<ReplayResult['kind']> => {
      while (hasTime() && steps.hasPatience()) {
        const integration = await ports.integrations.find(account, id);
        if (integration === undefined) {
          if (await ports.pendingEvents.purgePage(id)) return 'purged';
          continue;
        }
        if (!canReplay(integration)) return 'stopped';
        if (page?.length === 0) {
          page = (await ahead).value;
          ahead = awaitedLater(pages.next());
        }
        if (page === undefined) return 'completed';
        const firstDue = page.findIndex(isDue);
        const most = firstDue === 0 ? await steps.allowed() : firstDue;
        // Those that are not due are passed over together.
        const taken = page.slice(0, most < 0 ? undefined : most);
        if (taken.length === 0) continue;
        page = page.slice(taken.length);
        const due = taken.filter(isDue);
        const deliveries = due.map(({ delivery }) => replayOf(delivery));
        await queueOf(integration, ports).enqueue(deliveries);
        steps.enqueued(deliveries);
        replayed += due.length;
        rest = rest && { ...rest, after: taken.map(({ delivery }) => positionOf(delivery)).at(-1) };
        await removal;
        removal = awaitedLater(ports.pendingEvents.removeAllAsRead(due));
      }
      await removal;
      await ports.replays.request({ account, id }, { onlyDue, rest, ...steps.next() });
      return 'continued';
    };
    try {
      return { kind: await copyPages(), replayed };
    } finally {
      await Promise.allSettled([ahead]);
      await pages.return?.(undefined);
      await removal;
    }
  };

/** The queue of an integration's lane. */
export const queueOf = (
  integration: Integration,
  { deliveries, slowLane, now }: Pick<RunReplayPorts, 'deliveries' | 'slowLane' | 'now'>,
): DeliveryQueue => (laneOf(integration, now()) === 'slow' ? slowLane : deliveries);

const wholeOf = async (
  id: string,
  { pendingEvents }: Pick<RunReplayPorts, 'pendingEvents'>,
): Promise<Rest | undefined> => {
  const [newest] = await pendingEvents.newest(id, 1);
  return newest && { last: positionOf(newest.delivery) };
};

async function* none(): AsyncGenerator<never, undefined> {}

const dueAt =
  (now: Date, onlyDue: boolean) =>
  (pending: PendingEvent): boolean =>
    !onlyDue || pending.dueAt === undefined || Date.parse(pending.dueAt) <= now.getTime();

/** A `manual` delivery keeps its trigger: it is sent even if it was delivered before. */
const replayOf = (delivery: Delivery): Delivery =>
  delivery.trigger === 'manual' ? delivery : { ...delivery, trigger: 'replay' };

/** Keeps a promise that rejects before it is awaited from ending the process. */
const awaitedLater = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {});
  return promise;
};
