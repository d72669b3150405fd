import {
  canDeliver,
  type Integration,
  type IntegrationEpoch,
  type IntegrationReader,
  isStopped,
} from '../../integration/integration.ts';
import { speaksOfEndpoint } from '../attempt.ts';
import type { DeliveryLog } from '../delivery-log.ts';
import type { PendingEvent, PendingEvents } from '../pending/pending-events.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import { slowFrom } from '../pending/step-pace.ts';
import type { RetrySchedules } from '../trouble/begin-trouble.ts';
import type { TroubleStates, Troubles } from '../trouble/troubles.ts';
import type { MadeAttempt } from './make-attempt.ts';
import type { PendingRetry, RetryPending } from './retry-pending.ts';

/**
 * - `not-due`: another message made this hour's attempts, or the schedule's epoch has not begun.
 * - `woken`: the events that are due are replayed.
 * - `closed`: none is pending, and the schedule is removed.
 * - `over`: the schedule's epoch was over, and the schedule is removed.
 */
type RetryResult = (PendingRetry | { readonly kind: 'not-due' | 'woken' | 'closed' | 'over' }) & {
  /** When the message is to be received again, to retry once more. */
  readonly onceMoreAt?: Date;
  /** Why the schedule was not moved: it keeps its hour. */
  readonly moveFault?: unknown;
};

export type RetryHourly = (
  schedule: IntegrationEpoch,
  message: { messageId: string },
) => Promise<RetryResult>;

export interface RetryHourlyPorts {
  integrations: Pick<IntegrationReader, 'find'>;
  retryPending: RetryPending;
  troubles: Pick<Troubles, 'close'>;
  states: Pick<TroubleStates, 'claimRetry'>;
  replays: ReplayRequests;
  schedules: RetrySchedules;
  pendingEvents: Pick<PendingEvents, 'newest'>;
  deliveryLog: Pick<DeliveryLog, 'confirmedSince'>;
  now: () => Date;
  /** Uniform in [0, 1). */
  random: () => number;
  retryIntervalMs: number;
}

/**
 * Handles an hourly schedule: attempts pending events if the integration is busy or failed in the
 * schedule's epoch, and replays those that are due if its deliveries go on. If nothing is pending,
 * or the epoch is over or will never begin, requests a replay and removes the schedule. Throws when
 * a port fails: the message is received again.
 *
 * An endpoint that sleeps is awake half a minute after a request: if an hour brought no confirmation,
 * and its attempts spoke of the endpoint, the message is received again then.
 */
export const buildRetryHourly = (ports: RetryHourlyPorts): RetryHourly => {
  const onceMore = buildOnceMore(ports);
  const firstTime = buildFirstTime(ports);
  const retryHourly: RetryHourly = async (schedule, message) => {
    const { account, id, epoch } = schedule;
    const integration = await ports.integrations.find(account, id);
    if (integration === undefined || integration.epoch > epoch) {
      return removeSchedule(schedule, integration, ports);
    }
    const isWaiting = integration.trouble?.kind === 'waiting' && integration.epoch === epoch;
    const [newest] = isWaiting ? await ports.pendingEvents.newest(id, 1) : [];
    if (!isStopped(integration) && newest === undefined) {
      // A trouble that is about to begin relies on this schedule, and cannot once the epoch is over.
      const isClosed = await ports.troubles.close(integration);
      return isClosed && integration.epoch === epoch
        ? { kind: 'closed' }
        : retryHourly(schedule, message);
    }
    // The schedule of a change that is not made yet: its epoch may begin at any time.
    if (integration.epoch < epoch) return { kind: 'not-due' };
    if (hasRetried(integration, message)) return onceMore(integration);
    return firstTime(integration, { ...message, newest });
  };
  return retryHourly;
};

/** Whether the message has made attempts of its hour, or has replayed what was due. */
const hasRetried = ({ trouble }: Integration, { messageId }: { messageId: string }): boolean => {
  if (trouble === undefined || trouble.claimedBy !== messageId) return false;
  const { kind, since, claimedAt = '', lastAttemptAt } = trouble;
  return kind === 'waiting' || (since <= claimedAt && lastAttemptAt >= claimedAt);
};

const buildFirstTime =
  (ports: RetryHourlyPorts) =>
  async (
    integration: Integration,
    { messageId, newest }: { messageId: string; newest: PendingEvent | undefined },
  ): Promise<RetryResult> => {
    const next = nextRetry(integration, ports);
    if (!(await claimRetry(integration, { messageId, next }, ports))) return { kind: 'not-due' };
    const result = isStopped(integration)
      ? await ports.retryPending(integration, 'hourly')
      : await replayDue(integration, ports);
    if (result.kind !== 'woken' && result.endedTrouble) return result;
    const mayBeAsleep =
      result.kind === 'woken'
        ? isDue(newest, ports.now()) && !(await hasConfirmedInHour(integration, ports))
        : result.kind === 'retried' && result.attempts.every(isOfEndpoint);
    const again = mayBeAsleep && { onceMoreAt: awakeAt(ports) };
    return ports.schedules.move(integration, next).then(
      () => ({ ...result, ...again }),
      // The message must not make the attempts again.
      (moveFault: unknown) => ({ ...result, ...again, moveFault }),
    );
  };

const isDue = (newest: PendingEvent | undefined, now: Date): boolean =>
  Date.parse(newest?.dueAt ?? '') <= now.getTime();

const isOfEndpoint = ({ made }: { made: MadeAttempt }) => speaksOfEndpoint(made.attempt.outcome);

const hasConfirmedInHour = (
  { id }: Integration,
  { deliveryLog, now, retryIntervalMs }: RetryHourlyPorts,
): Promise<boolean> =>
  deliveryLog.confirmedSince(id, new Date(now().getTime() - retryIntervalMs)).catch(() => true);

/** Half a minute, if events are retried every hour. */
const AWAKE_AFTER_OF_INTERVAL = 120;

const awakeAt = ({ now, retryIntervalMs }: Pick<RetryHourlyPorts, 'now' | 'retryIntervalMs'>) =>
  new Date(now().getTime() + retryIntervalMs / AWAKE_AFTER_OF_INTERVAL);

/**
 * All events of a waiting integration were attempted while the endpoint slept: once it is awake, they
 * need not be due. If a process died after its claim, what is due may not have been replayed.
 */
const buildOnceMore =
  ({ retryPending, replays }: Pick<RetryHourlyPorts, 'retryPending' | 'replays'>) =>
  async (integration: Integration): Promise<PendingRetry> => {
    const { account, id } = integration;
    const result = await retryPending(integration, 'hourly');
    if (isStopped(integration)) return result;
    const isAwake = result.kind === 'retried' && result.attempts.some(isConfirmed);
    await replays.request({ account, id }, { onlyDue: !isAwake });
    return result;
  };

const isConfirmed = ({ made }: { made: MadeAttempt }): boolean =>
  made.attempt.outcome.class === 'delivered';

/** The schedule stays for what is not due, and for what comes meanwhile. */
const replayDue = async (
  { account, id }: Integration,
  { replays, now }: Pick<RetryHourlyPorts, 'replays' | 'now'>,
): Promise<{ readonly kind: 'woken' }> => {
  await replays.request({ account, id }, { onlyDue: true, pace: slowFrom(now()) });
  return { kind: 'woken' };
};

/** Of an epoch that is over. The replay of a deleted integration removes its pending events. */
const removeSchedule = async (
  schedule: IntegrationEpoch,
  integration: Integration | undefined,
  { replays, schedules }: Pick<RetryHourlyPorts, 'replays' | 'schedules'>,
): Promise<{ readonly kind: 'over' }> => {
  const { account, id } = schedule;
  if (integration === undefined || canDeliver(integration)) await replays.request({ account, id });
  await schedules.remove(schedule);
  return { kind: 'over' };
};

const claimRetry = (
  integration: Integration,
  { messageId, next }: { messageId: string; next: Date },
  { now, retryIntervalMs, states }: Pick<RetryHourlyPorts, 'now' | 'retryIntervalMs' | 'states'>,
): Promise<boolean> => {
  const claimedAt = now();
  return states.claimRetry(integration, {
    // A schedule does not fire to the second, but never twice within half an interval.
    lastBefore: new Date(claimedAt.getTime() - retryIntervalMs / 2),
    claimedAt,
    claimedBy: messageId,
    nextAttemptAt: next,
  });
};

/**
 * When a schedule fires next: a fifth to a quarter of an interval earlier in the hour than before,
 * so that two hours meet an endpoint that is down for the same minutes of each hour outside of them.
 */
const nextRetry = (
  { trouble }: Pick<Integration, 'trouble'>,
  { now, random, retryIntervalMs }: Pick<RetryHourlyPorts, 'now' | 'random' | 'retryIntervalMs'>,
): Date => {
  const nowMs = now().getTime();
  // A schedule fires up to ten minutes late: counted from when it was to fire, these do not add up.
  const plannedMs = Math.min(nowMs, Date.parse(trouble?.nextAttemptAt ?? '') || nowMs);
  const nextMs = plannedMs + retryIntervalMs * (1 - (4 + random()) / 20);
  return new Date(Math.max(nextMs, nowMs + retryIntervalMs / 2));
};
