import type { DeliveryQueue } from '../events/route-event.ts';
import { canDeliver, type IntegrationStore } from '../integrations/integration.ts';
import type { DeliveryLogPurge } from './attempt.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryHistory, LoggedDelivery } from './delivery-log.ts';
import type { PendingEvents } from './pending-events.ts';
import { createReplayPending } from './replay-pending.ts';
import type { Recovery, RecoveryRequests } from './replay-requests.ts';
import { deliveryAgain } from './resend-delivery.ts';
import { isTestEvent } from './test-event.ts';

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
  /** Deliveries of the log put there beside those. */
  readonly resent: number;
  /** Those whose bodies are no longer kept. */
  readonly skipped: number;
}

export type RecoverDeliveries = (
  integration: { account: string; id: string },
  recovery: Recovery,
  options: { hasTime: () => boolean },
) => Promise<RecoveryResult>;

interface Ports {
  integrations: IntegrationStore;
  pendingEvents: PendingEvents;
  deliveryLogPurge: DeliveryLogPurge;
  history: Pick<DeliveryHistory, 'undelivered' | 'bodyOf'>;
  deliveries: DeliveryQueue;
  recoveries: RecoveryRequests;
}

/** Their bodies are in memory together, of up to 1 MiB each. */
const PAGE = 25;

/**
 * Replays an integration's pending events, then walks its delivery log and puts what else did not
 * arrive back on the deliveries queue, oldest first, while the integration can take it; but for
 * what is backing off there. Run one at a time for an integration.
 *
 * A process that dies within it begins again where its request says: duplicates, never a gap. So
 * does a run that goes on where another stopped: it does not know what that one put there. Of such
 * duplicates those are not sent whose delivery has arrived by then.
 */
export const createRecoverDeliveries =
  (ports: Ports): RecoverDeliveries =>
  async ({ account, id }, recovery, { hasTime }) => {
    const replayed = new Set<string>();
    const replayPending = createReplayPending({
      ...ports,
      deliveries: noting(ports.deliveries, replayed),
      // The run that goes on begins with the replay, too.
      replays: {
        request: (integration) => ports.recoveries.requestRecovery(integration, recovery),
      },
    });
    const { kind } = await replayPending({ account, id }, hasTime);
    const nothingElse = { replayed: replayed.size, resent: 0, skipped: 0 };
    if (kind !== 'drained') return { kind, ...nothingElse };
    const walk = createWalk(ports, { account, id, recovery, hasTime });
    return { ...nothingElse, ...(await walk(replayed)) };
  };

/** Notes the events whose deliveries are enqueued. */
const noting = (deliveries: DeliveryQueue, events: Set<string>): DeliveryQueue => ({
  fits: (delivery) => deliveries.fits(delivery),
  enqueue: async (page) => {
    await deliveries.enqueue(page);
    for (const { event } of page) events.add(event.id);
  },
});

/** `onTheirWay`: events that are on the queue by now, though the log does not tell. */
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
      const { deliveries, next } = await ports.history.undelivered(id, {
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
      const again = (await Promise.all(due.map(againFrom(ports.history)))).filter(isKept);
      if (again.length > 0) await ports.deliveries.enqueue(again);
      resent += again.length;
      skipped += due.length - again.length;
      if (next === undefined || within.length < deliveries.length) {
        return { kind: 'completed', resent, skipped };
      }
      after = next;
    }
    await ports.recoveries.requestRecovery({ account, id }, { since, until, after });
    return { kind: 'continued', resent, skipped };
  };
};

const occurredAt = ({ event }: LoggedDelivery): number => Date.parse(event.occurredAt);

/**
 * Whether its message waits in the queue. A second one would wait beside it, and a recovery every
 * few minutes would fill the queue for everyone.
 */
const isBackingOff = ({ latestAttempt }: LoggedDelivery, at: Date): boolean =>
  latestAttempt?.nextAttemptAt !== undefined && latestAttempt.nextAttemptAt > at;

const isKept = (delivery: Delivery | undefined): delivery is Delivery => delivery !== undefined;

const againFrom =
  (history: Pick<DeliveryHistory, 'bodyOf'>) =>
  async (logged: LoggedDelivery): Promise<Delivery | undefined> => {
    const body = await history.bodyOf(logged);
    return body === undefined ? undefined : deliveryAgain(logged, body, { trigger: 'replay' });
  };
