import {
  canReplay,
  type Integration,
  type IntegrationEpoch,
  type IntegrationReader,
} from '../../integration/integration.ts';
import { type Delivery, positionOf } from '../delivery.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';
import { laneOf } from '../lanes.ts';
import { createPace, type PacePorts } from './pace.ts';
import type { PendingEvent, PendingEvents } from './pending-events.ts';
import type { ReplayRequest, ReplayRequests, Rest } from './replay-requests.ts';

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

export interface ConfirmedNotes {
  /** Notes a success of an attempt that began then, unless a later one or a streak is known. */
  noteConfirmed(epoch: IntegrationEpoch, confirmedAt: Date): Promise<void>;
}

export interface RunReplayPorts extends PacePorts {
  integrations: Pick<IntegrationReader, 'find'>;
  states: ConfirmedNotes;
  pendingEvents: Pick<PendingEvents, 'newest' | 'pages' | 'removeAllAsRead' | 'purgePage'>;
  deliveries: DeliveryQueue;
  slowLane: DeliveryQueue;
  replays: ReplayRequests;
  retryIntervalMs: number;
}

/** 26 MB with bodies of 256 KiB. One page is removed, one enqueued and one read at a time. */
const PAGE = 100;

/**
 * Puts pending events back on the queue of the integration's lane, oldest first, at the pace that the
 * endpoint bears, while the integration can take them. A replay is one pass over the events that are
 * pending when it begins: an event that fails again waits for its own replay. A run that is out of
 * time, or that waits for the endpoint's answers, requests another, which goes on where it stopped.
 *
 * A page is enqueued, then removed, so a process that dies causes duplicates, of two pages at most,
 * and never a loss. An event that was stored again meanwhile has a new version, and stays.
 */
export const buildRunReplay =
  (ports: RunReplayPorts): RunReplay =>
  async (request, hasTime) => {
    const { account, id, onlyDue = false } = request;
    let replayed = 0;
    let removal: Promise<void> = Promise.resolve();
    let rest = request.rest ?? (await wholeOf(id, ports));
    const pace = createPace(ports, request);
    const noteConfirmed = buildNoteConfirmed(ports, pace);
    const pages = rest ? ports.pendingEvents.pages(id, { limit: PAGE, ...rest }) : none();
    let page: readonly PendingEvent[] | undefined = [];
    let ahead = awaitedLater(pages.next());
    const now = ports.now();
    const isDue = dueAt(now, onlyDue);
    const copyPages = async (): Promise<ReplayResult['kind']> => {
      while (hasTime() && pace.hasPatience()) {
        const integration = await ports.integrations.find(account, id);
        if (integration === undefined) {
          if (await ports.pendingEvents.purgePage(id)) return 'purged';
          continue;
        }
        if (!canReplay(integration)) return 'stopped';
        await noteConfirmed(integration);
        if (page?.length === 0) {
          page = (await ahead).value;
          ahead = awaitedLater(pages.next());
        }
        if (page === undefined) return 'completed';
        const firstDue = page.findIndex(isDue);
        const most = firstDue === 0 ? await pace.allowed() : firstDue;
        // Those that are not due are passed over together.
        const taken = page.slice(0, most < 0 ? undefined : most);
        if (taken.length === 0) continue;
        page = page.slice(taken.length);
        const due = taken.filter(isDue);
        const deliveries = due.map((pending) => replayOf(pending, { ...ports, now }));
        await queueOf(integration, ports).enqueue(deliveries);
        pace.enqueued(deliveries);
        replayed += due.length;
        rest = rest && { ...rest, after: taken.map(({ delivery }) => positionOf(delivery)).at(-1) };
        await removal;
        removal = awaitedLater(ports.pendingEvents.removeAllAsRead(due));
      }
      await removal;
      await ports.replays.request({ account, id }, { onlyDue, rest, ...pace.next() });
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

/**
 * Notes once in a run that the endpoint confirms, unless the integration shows it: the verdict on a
 * refused event asks for it.
 */
export const buildNoteConfirmed = (
  { states }: Pick<RunReplayPorts, 'states'>,
  pace: Pick<ReturnType<typeof createPace>, 'confirmedAt'>,
) => {
  let isNoted = false;
  return async (integration: Integration): Promise<void> => {
    const confirmedAt = pace.confirmedAt();
    if (isNoted || confirmedAt === undefined) return;
    isNoted = true;
    const { confirmedAt: known = '', updatedAt } = integration;
    const hourBefore = new Date(Date.parse(confirmedAt) - HOUR_MS).toISOString();
    if (known >= updatedAt && known >= hourBefore) return;
    await states.noteConfirmed(integration, new Date(confirmedAt));
  };
};

const HOUR_MS = 3_600_000;

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

/**
 * A `manual` delivery keeps its trigger: it is sent even if it was delivered before. A window ends if
 * the event was not attempted within an hour of being due: its integration took no deliveries.
 */
const replayOf = (
  { delivery, dueAt }: PendingEvent,
  { now, retryIntervalMs }: { now: Date; retryIntervalMs: number },
): Delivery => {
  const { backoff, refusedAt, ...others } = delivery;
  const isContinued =
    dueAt !== undefined && now.getTime() - Date.parse(dueAt) <= 2 * retryIntervalMs;
  const window = backoff === undefined || isContinued ? { backoff, refusedAt } : {};
  const replayed = { ...others, ...window };
  return delivery.trigger === 'manual' ? replayed : { ...replayed, trigger: 'replay' };
};

/** Keeps a promise that rejects before it is awaited from ending the process. */
const awaitedLater = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {});
  return promise;
};
