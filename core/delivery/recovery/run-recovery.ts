import { canReplay } from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryLogReader, LoggedDelivery } from '../delivery-log-reader.ts';
import type { DeliveryQueue } from '../delivery-queue.ts';
import type { Recovery, ReplayRequest } from '../pending/replay-requests.ts';
import { buildRunReplay, queueOf, type RunReplayPorts } from '../pending/run-replay.ts';
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
 * Replays pending events, then enqueues the other undelivered deliveries of the log, oldest first,
 * while the integration can take them, except those that are backing off: they are in the queue.
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
    const isReplayed = recovery.after !== undefined;
    const { kind } = isReplayed ? COMPLETED : await runReplay(request, hasTime);
    const nothingElse = { replayed: replayed.size, resent: 0, skipped: 0 };
    if (kind !== 'completed') return { kind, ...nothingElse };
    const walk = createWalk(ports, { ...request, hasTime });
    return { ...nothingElse, ...(await walk(replayed)) };
  };

const COMPLETED = { kind: 'completed' } as const;

/** Enqueues undelivered deliveries of the log, except the events `enqueued` by the replay. */
const createWalk = (
  ports: Ports,
  run: { account: string; id: string; recovery: Recovery; hasTime: () => boolean },
) => {
  const { account, id, hasTime } = run;
  const { since, until } = run.recovery;
  return async (enqueued: ReadonlySet<string>): Promise<Omit<RecoveryResult, 'replayed'>> => {
    let { after } = run.recovery;
    let resent = 0;
    let skipped = 0;
    // At least a page: without a position, the next run would repeat the replay.
    do {
      const integration = await ports.integrations.find(account, id);
      if (integration === undefined || !canReplay(integration)) {
        return { kind: 'stopped', resent, skipped };
      }
      const page = { since, limit: PAGE, after };
      const { deliveries, next } = await ports.deliveryLogReader.undelivered(id, page);
      const within = deliveries.filter((logged) => occurredAt(logged) <= until.getTime());
      const due = within.filter(
        (logged) => !enqueued.has(logged.event.id) && !isBackingOff(logged, until),
      );
      const toResend = (await Promise.all(due.map(withBodyFrom(ports.deliveryLogReader)))).filter(
        (delivery) => delivery !== undefined,
      );
      if (toResend.length > 0) await queueOf(integration, ports).enqueue(toResend);
      resent += toResend.length;
      skipped += due.length - toResend.length;
      if (next === undefined || within.length < deliveries.length) {
        return { kind: 'completed', resent, skipped };
      }
      after = next;
    } while (hasTime());
    await ports.replays.request({ account, id }, { recovery: { since, until, after } });
    return { kind: 'continued', resent, skipped };
  };
};

const occurredAt = ({ event }: LoggedDelivery): number => Date.parse(event.occurredAt);

/** Frequent recoveries would otherwise fill the queue with second messages. */
const isBackingOff = ({ latestAttempt }: LoggedDelivery, at: Date): boolean =>
  latestAttempt?.nextAttemptAt !== undefined && latestAttempt.nextAttemptAt > at;

const withBodyFrom =
  (reader: Pick<DeliveryLogReader, 'bodyOf'>) =>
  async (logged: LoggedDelivery): Promise<Delivery | undefined> => {
    const body = await reader.bodyOf(logged);
    return body === undefined ? undefined : deliveryAgain(logged, body, { trigger: 'replay' });
  };
