import { canDeliver } from '../../integration/integration.ts';
import { cursorAt } from '../../json-ld/cursor.ts';
import { type Delivery, positionOf } from '../delivery.ts';
import type { Cursor } from '../delivery-log.ts';
import type { DeliveryLogReader, LoggedDelivery } from '../delivery-log-reader.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';
import { ReplayPace } from '../pending/pace.ts';
import type { Recovery, ReplayRequest } from '../pending/replay-requests.ts';
import {
  buildRunReplay,
  createReplayNotes,
  queueOf,
  type RunReplayPorts,
} from '../pending/run-replay.ts';
import { deliveryAgain } from './resend-delivery.ts';

/**
 * - `stopped`: the integration cannot take deliveries now, or is deleted.
 * - `continued`: time was up, and another run was requested.
 * - `purged`: the integration is deleted, and its pending events are removed.
 */
interface RecoveryResult {
  readonly kind: 'completed' | 'stopped' | 'continued' | 'purged';
  readonly replayed: number;
  /** Deliveries of the log put on the queue beside the pending events. */
  readonly resent: number;
  /** Deliveries that were not sent, because the log no longer has their bodies. */
  readonly skipped: number;
}

export type RunRecovery = (
  request: ReplayRequest & { recovery: Recovery },
  hasTime: () => boolean,
) => Promise<RecoveryResult>;

interface Ports extends RunReplayPorts {
  deliveryLogReader: Pick<DeliveryLogReader, 'undelivered' | 'bodyOf'>;
}

/** All bodies of a page are in memory together: at most 7 MB. */
const PAGE = 25;

/**
 * Replays pending events, then enqueues the other undelivered deliveries of the log, oldest first, at
 * the pace that the endpoint bears, while the integration can take them, except those that are
 * backing off, and those that were attempted since the request.
 *
 * A request that is received again, or that continues another run, can cause duplicates, never
 * losses. A duplicate is dropped if its delivery is delivered by then.
 */
export const buildRunRecovery =
  (ports: Ports): RunRecovery =>
  async (request, hasTime) => {
    const { recovery } = request;
    const replayed = new Set<string>();
    const noting = (queue: DeliveryQueue): DeliveryQueue => ({
      enqueue: async (page) => {
        await queue.enqueue(page);
        for (const { event } of page) replayed.add(event.id);
      },
    });
    const runReplay = buildRunReplay({
      ...ports,
      deliveries: noting(ports.deliveries),
      slowLane: noting(ports.slowLane),
      // A run that continues the replay must read the log afterwards.
      replays: {
        request: (integration, options) =>
          ports.replays.request(integration, { ...options, recovery }),
      },
    });
    if (recovery.after === undefined) {
      const { kind } = await runReplay(request, hasTime);
      if (kind !== 'completed') return { kind, replayed: replayed.size, resent: 0, skipped: 0 };
    }
    const walked = await walk(ports, { ...request, hasTime, enqueued: replayed });
    return { replayed: replayed.size, ...walked };
  };

interface Walk extends ReplayRequest {
  readonly recovery: Recovery;
  readonly hasTime: () => boolean;
  /** The ids of events that the replay has enqueued. */
  readonly enqueued: ReadonlySet<string>;
}

const walk = async (
  ports: Ports,
  { hasTime, enqueued, ...request }: Walk,
): Promise<Omit<RecoveryResult, 'replayed'>> => {
  const { account, id, recovery } = request;
  const { since, until } = recovery;
  const pace = new ReplayPace(ports, request);
  const note = createReplayNotes(ports, pace);
  const isDue = ({ event, latestAttempt }: LoggedDelivery) =>
    !enqueued.has(event.id) && !isUnderWay({ latestAttempt }, until);
  let after = recovery.after ?? before(since);
  let page: readonly Delivery[] = [];
  let readTo: { readonly next?: Cursor | undefined } = { next: after };
  const counts = { resent: 0, skipped: 0 };
  do {
    const integration = await ports.integrations.find(account, id);
    if (!integration || !canDeliver(integration)) return { kind: 'stopped', ...counts };
    if (page.length > 0) {
      const taken = page.slice(0, await pace.allowed());
      const last = taken.at(-1);
      if (last === undefined) continue;
      await note.isUnderWay(integration);
      await queueOf(integration, ports).enqueue(taken);
      pace.enqueued(taken);
      after = cursorAt(positionOf(last));
      counts.resent += taken.length;
      page = page.slice(taken.length);
      continue;
    }
    if (readTo.next === undefined) {
      if (!(await pace.isOver())) continue;
      await note.isOver(integration);
      return { kind: 'completed', ...counts };
    }
    after = readTo.next;
    const read = await ports.deliveryLogReader.undelivered(id, { since, limit: PAGE, after });
    const within = read.deliveries.filter((logged) => occurredAt(logged) <= until.getTime());
    const due = within.filter(isDue);
    page = (await Promise.all(due.map(withBodyFrom(ports.deliveryLogReader)))).filter(
      (delivery) => delivery !== undefined,
    );
    counts.skipped += due.length - page.length;
    readTo = within.length < read.deliveries.length ? {} : { next: read.next };
  } while (hasTime() && pace.hasPatience);
  if (page.length === 0 && readTo.next !== undefined) after = readTo.next;
  const rest = { since, until, after };
  await ports.replays.request({ account, id }, { recovery: rest, ...pace.next() });
  return { kind: 'continued', ...counts };
};

/** The position before all events since an instant. */
const before = (since: Date): Cursor =>
  cursorAt(
    positionOf({ event: { id: '-', occurredAt: new Date(since.getTime() - 1).toISOString() } }),
  );

const occurredAt = ({ event }: LoggedDelivery): number => Date.parse(event.occurredAt);

/**
 * Whether it backs off, or was attempted since the recovery was requested: what failed then is stored
 * again. Frequent recoveries would otherwise fill the queue with second messages.
 */
const isUnderWay = (
  { latestAttempt }: Pick<LoggedDelivery, 'latestAttempt'>,
  at: Date,
): boolean => {
  if (latestAttempt === undefined) return false;
  const { startedAt, nextAttemptAt } = latestAttempt;
  return startedAt > at || (nextAttemptAt !== undefined && nextAttemptAt > at);
};

const withBodyFrom =
  (reader: Pick<DeliveryLogReader, 'bodyOf'>) =>
  async (logged: LoggedDelivery): Promise<Delivery | undefined> => {
    const body = await reader.bodyOf(logged);
    return body === undefined ? undefined : deliveryAgain(logged, body, { trigger: 'replay' });
  };
