import {
  canDeliver,
  type Integration,
  type IntegrationEpoch,
  type IntegrationReader,
  isStopped,
} from '../../integration/integration.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from '../trouble/begin-trouble.ts';
import type { TroubleStates, Troubles } from '../trouble/troubles.ts';
import type { PendingRetry, RetryPending } from './retry-pending.ts';

/**
 * - `not-due`: another message made this hour's attempts, or the schedule's epoch has not begun.
 * - `woken`: the events that are due are replayed. The schedule is removed if none is pending.
 * - `over`: the schedule's epoch was over, and the schedule is removed.
 */
type RetryResult = (PendingRetry | { readonly kind: 'not-due' | 'woken' | 'over' }) & {
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
  troubles: Pick<Troubles, 'wake'>;
  states: Pick<TroubleStates, 'claimRetry'>;
  replays: ReplayRequests;
  schedules: RetrySchedules;
  pendingEvents: Pick<PendingEvents, 'newest'>;
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
 */
export const buildRetryHourly = (ports: RetryHourlyPorts): RetryHourly => {
  const retryHourly: RetryHourly = async (schedule, message) => {
    const { account, id, epoch } = schedule;
    const integration = await ports.integrations.find(account, id);
    if (integration !== undefined && integration.epoch <= epoch) {
      const { trouble } = integration;
      const waits = trouble?.kind === 'waiting' && integration.epoch === epoch;
      if (!isStopped(integration) && !(waits && (await hasPending(id, ports)))) {
        // A trouble that is about to begin relies on this schedule, and cannot once the epoch is
        // over.
        const isWoken = await ports.troubles.wake(integration);
        return isWoken && integration.epoch === epoch
          ? { kind: 'woken' }
          : retryHourly(schedule, message);
      }
      const next = nextRetry(integration, ports);
      // The schedule of a change that is not made yet: its epoch may begin at any time.
      if (
        integration.epoch < epoch ||
        !(await claimRetry(integration, { ...message, next }, ports))
      ) {
        return { kind: 'not-due' };
      }
      const result = waits
        ? await replayDue(integration, ports)
        : await ports.retryPending(integration, 'hourly');
      if (result.kind !== 'woken' && result.endedTrouble) return result;
      return ports.schedules.move(schedule, next).then(
        () => result,
        // The message must not come back and make the attempts again.
        (moveFault: unknown) => ({ ...result, moveFault }),
      );
    }
    // The replay of a deleted integration removes its pending events. Unlike others it may run twice:
    // the integration can be restored, and end the epoch again.
    if (integration === undefined) await ports.replays.request({ account, id });
    else if (canDeliver(integration))
      await ports.replays.request({ account, id }, { ended: epoch });
    await ports.schedules.remove(schedule);
    return { kind: 'over' };
  };
  return retryHourly;
};

const hasPending = async (
  id: string,
  { pendingEvents }: Pick<RetryHourlyPorts, 'pendingEvents'>,
): Promise<boolean> => (await pendingEvents.newest(id, 1)).length > 0;

/** The schedule stays for what is not due, and for what comes meanwhile. */
const replayDue = async (
  { account, id }: Integration,
  { replays }: Pick<RetryHourlyPorts, 'replays'>,
): Promise<{ readonly kind: 'woken' }> => {
  await replays.request({ account, id }, { onlyDue: true });
  return { kind: 'woken' };
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
