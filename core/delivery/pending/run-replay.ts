import {
  canDeliver,
  type Integration,
  type IntegrationReader,
} from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';
import { laneOf } from '../lanes.ts';
import { DueEvents, type DueEventsPorts, wholeOf } from './due-events.ts';
import { type PacePorts, ReplayPace } from './pace.ts';
import type { PendingEvent, PendingEvents } from './pending-events.ts';
import type { ReplayNotes, ReplayRequest, ReplayRequests } from './replay-requests.ts';

/**
 * - `stopped`: the integration cannot take deliveries now.
 * - `continued`: another run was requested, because time was up, or the endpoint rests or has not
 *   answered.
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

export interface RunReplayPorts extends PacePorts, DueEventsPorts {
  integrations: Pick<IntegrationReader, 'find'>;
  states: ReplayNotes;
  pendingEvents: DueEventsPorts['pendingEvents'] & Pick<PendingEvents, 'purgePage'>;
  deliveries: DeliveryQueue;
  slowLane: DeliveryQueue;
  replays: ReplayRequests;
  retryIntervalMs: number;
}

/**
 * Puts pending events back on the queue of the integration's lane, oldest first, at the pace that the
 * endpoint bears, while the integration can take them. A replay is one pass over the events that are
 * pending when it begins: an event that fails again waits for its own replay. The pass is over when
 * its last delivery is answered. A run that cannot go on now requests another, which goes on where it
 * stopped.
 *
 * A page is enqueued, then removed, so a process that dies causes duplicates, of two pages at most,
 * and never a loss. An event that was stored again meanwhile has a new version, and stays.
 */
export const buildRunReplay =
  (ports: RunReplayPorts): RunReplay =>
  async (request, hasTime) => {
    const rest = request.rest ?? (await wholeOf(request.id, ports));
    const due = new DueEvents(ports, request, { rest, now: ports.now() });
    const run = { request, due, pace: new ReplayPace(ports, request), replayed: 0 };
    const replayPage = buildReplayPage(ports, run);
    try {
      while (hasTime() && run.pace.hasPatience) {
        const ended = await replayPage();
        if (ended !== undefined) return { kind: ended, replayed: run.replayed };
      }
      await due.removed();
      const { account, id, onlyDue } = request;
      await ports.replays.request({ account, id }, { onlyDue, rest: due.rest, ...run.pace.next() });
      return { kind: 'continued', replayed: run.replayed };
    } finally {
      await due.close();
    }
  };

interface Run {
  readonly request: Pick<ReplayRequest, 'account' | 'id'>;
  readonly due: DueEvents;
  readonly pace: ReplayPace;
  replayed: number;
}

/** Replays as many events of a page as the pace allows. Resolves to how the pass ended, if it did. */
const buildReplayPage = (ports: RunReplayPorts, run: Run) => {
  const { due, pace, request } = run;
  const note = createReplayNotes(ports, pace);
  return async (): Promise<'completed' | 'stopped' | 'purged' | undefined> => {
    const integration = await ports.integrations.find(request.account, request.id);
    if (integration === undefined) {
      return (await ports.pendingEvents.purgePage(request.id)) ? 'purged' : undefined;
    }
    if (!canDeliver(integration)) return 'stopped';
    const page = await due.page();
    if (page === undefined) {
      if (!(await pace.isOver())) return undefined;
      await note.isOver(integration);
      return 'completed';
    }
    const taken = page.length > 0 ? page.slice(0, await pace.allowed()) : [];
    if (taken.length === 0) return undefined;
    await note.isUnderWay(integration);
    const now = ports.now();
    const deliveries = taken.map((pending) => replayOf(pending, { ...ports, now }));
    await queueOf(integration, ports).enqueue(deliveries);
    pace.enqueued(deliveries);
    run.replayed += taken.length;
    await due.taken(taken);
    return undefined;
  };
};

/** If the runs of a replay end for our fault, the note of it ends by time. */
const NOTED_MS = 15 * 60_000;

const HOUR_MS = 3_600_000;

/**
 * Notes what the verdict on a refused event asks for, unless the integration shows it: that a replay
 * is under way, and, once in a run, that the endpoint confirms.
 */
export const createReplayNotes = (
  { states, now }: Pick<RunReplayPorts, 'states' | 'now'>,
  pace: Pick<ReplayPace, 'confirmedAt'>,
) => {
  let isConfirmationNoted = false;
  return {
    /** Before deliveries are enqueued. */
    isUnderWay: async (integration: Integration): Promise<void> => {
      const { replayingUntil = '', confirmedAt: known = '', updatedAt } = integration;
      const after = (ms: number) => new Date(now().getTime() + ms);
      if (replayingUntil < after(NOTED_MS / 2).toISOString()) {
        await states.noteReplaying(integration, after(NOTED_MS));
      }
      const { confirmedAt } = pace;
      if (isConfirmationNoted || confirmedAt === undefined) return;
      isConfirmationNoted = true;
      const hourBefore = new Date(Date.parse(confirmedAt) - HOUR_MS).toISOString();
      if (known >= updatedAt && known >= hourBefore) return;
      await states.noteConfirmed(integration, new Date(confirmedAt));
    },
    isOver: async (integration: Integration): Promise<void> => {
      if (integration.replayingUntil) await states.noteReplaying(integration, undefined);
    },
  };
};

/** The queue of an integration's lane. */
export const queueOf = (
  integration: Integration,
  { deliveries, slowLane, now }: Pick<RunReplayPorts, 'deliveries' | 'slowLane' | 'now'>,
): DeliveryQueue => (laneOf(integration, now()) === 'slow' ? slowLane : deliveries);

/**
 * A `manual` delivery keeps its trigger: it is sent even if it was delivered before. A window ends if
 * the event was not attempted within an hour of being due: its integration took no deliveries.
 */
const replayOf = (
  { delivery, dueAt }: PendingEvent,
  { now, retryIntervalMs }: { now: Date; retryIntervalMs: number },
): Delivery => {
  const isContinued =
    dueAt !== undefined && now.getTime() - Date.parse(dueAt) <= 2 * retryIntervalMs;
  const replayed = { ...delivery, backoff: isContinued ? delivery.backoff : undefined };
  return delivery.trigger === 'manual' ? replayed : { ...replayed, trigger: 'replay' };
};
