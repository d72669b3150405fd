import { canDeliver } from '../../integration/integration.ts';
import { type Delivery, isTestEvent } from '../delivery.ts';
import type { DeliveryLogReader, LoggedDelivery } from '../delivery-log.ts';
import type { Recovery } from '../pending/replay-requests.ts';
import { buildRunReplay, type RunReplayPorts } from '../pending/run-replay.ts';
import { deliveryAgain } from './resend-delivery.ts';

/**
 * - `completed`: the end of the log was reached. `stopped`: the integration cannot take deliveries
 *   now, or is gone.
 * - `continued`: time was up, and another run was asked for.
 * - `purged`: the integration is gone, and so is what was kept of it.
 */
interface RecoveryResult {
  readonly kind: 'completed' | 'stopped' | 'continued' | 'purged';
  /** Pending events put back on the queue. */
  readonly replayed: number;
  /** Deliveries of the log put on the queue beside the pending events. */
  readonly resent: number;
  /** Deliveries whose bodies are no longer kept. */
  readonly skipped: number;
}

export type RunRecovery = (
  integration: { account: string; id: string },
  recovery: Recovery,
  options: { hasTime: () => boolean },
) => Promise<RecoveryResult>;

interface Ports extends RunReplayPorts {
  log: Pick<DeliveryLogReader, 'undelivered' | 'bodyOf'>;
}

/** A page's bodies are in memory together, of up to 1 MiB each. */
const PAGE = 25;

/**
 * Replays an integration's pending events, then walks its delivery log and puts the other
 * undelivered deliveries back on the deliveries queue, oldest first, while the integration can take
 * them. Deliveries that are backing off are in the queue already. Runs for one integration come one
 * at a time.
 *
 * A process that dies within a run leaves the request, which begins again: duplicates, never a gap.
 * A run that goes on where another stopped makes duplicates too: it does not know what the other
 * run enqueued. A duplicate is dropped if its delivery is delivered by then.
 */
export const buildRunRecovery =
  (ports: Ports): RunRecovery =>
  async ({ account, id }, recovery, { hasTime }) => {
    const replayed = new Set<string>();
    const runReplay = buildRunReplay({
      ...ports,
      deliveries: {
        enqueue: async (page) => {
          await ports.deliveries.enqueue(page);
          for (const { event } of page) replayed.add(event.id);
        },
      },
      // The run that goes on begins with the replay, too.
      replays: { request: (integration) => ports.replays.request(integration, recovery) },
    });
    const { kind } = await runReplay({ account, id }, hasTime);
    const nothingElse = { replayed: replayed.size, resent: 0, skipped: 0 };
    if (kind !== 'drained') return { kind, ...nothingElse };
    const walk = createWalk(ports, { account, id, recovery, hasTime });
    return { ...nothingElse, ...(await walk(replayed)) };
  };

/** `onTheirWay`: events that the replay has enqueued; the log does not tell. */
const createWalk = (
  ports: Ports,
  run: { account: string; id: string; recovery: Recovery; hasTime: () => boolean },
) => {
  const { account, id, hasTime } = run;
  const { since, until } = run.recovery;
  return async (onTheirWay: ReadonlySet<string>): Promise<Omit<RecoveryResult, 'replayed'>> => {
    let { after } = run.recovery;
    let resent = 0;
    let skipped = 0;
    while (hasTime()) {
      const integration = await ports.integrations.find(account, id);
      if (integration === undefined || !canDeliver(integration)) {
        return { kind: 'stopped', resent, skipped };
      }
      const { deliveries, next } = await ports.log.undelivered(id, {
        since,
        limit: PAGE,
        ...(after !== undefined && { after }),
      });
      const within = deliveries.filter((logged) => occurredAt(logged) <= until.getTime());
      const due = within.filter(
        (logged) =>
          !onTheirWay.has(logged.event.id) &&
          !isTestEvent(logged.event) &&
          !isBackingOff(logged, until),
      );
      const again = (await Promise.all(due.map(againFrom(ports.log)))).filter(isKept);
      if (again.length > 0) await ports.deliveries.enqueue(again);
      resent += again.length;
      skipped += due.length - again.length;
      if (next === undefined || within.length < deliveries.length) {
        return { kind: 'completed', resent, skipped };
      }
      after = next;
    }
    await ports.replays.request({ account, id }, { since, until, after });
    return { kind: 'continued', resent, skipped };
  };
};

const occurredAt = ({ event }: LoggedDelivery): number => Date.parse(event.occurredAt);

/**
 * Whether the delivery's message waits in the queue. A second message would wait beside the first,
 * and a recovery every few minutes would fill the queue for everyone.
 */
const isBackingOff = ({ latestAttempt }: LoggedDelivery, at: Date): boolean =>
  latestAttempt?.nextAttemptAt !== undefined && latestAttempt.nextAttemptAt > at;

const isKept = (delivery: Delivery | undefined): delivery is Delivery => delivery !== undefined;

const againFrom =
  (log: Pick<DeliveryLogReader, 'bodyOf'>) =>
  async (logged: LoggedDelivery): Promise<Delivery | undefined> => {
    const body = await log.bodyOf(logged);
    return body === undefined ? undefined : deliveryAgain(logged, body, { trigger: 'replay' });
  };
