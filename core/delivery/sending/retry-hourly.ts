import {
  canDeliver,
  type Integration,
  type IntegrationEpoch,
  type IntegrationReader,
  isStopped,
} from '../../integration/integration.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from '../trouble/begin-trouble.ts';
import type { TroubleStates, Troubles } from '../trouble/troubles.ts';
import type { PendingRetry, RetryPending } from './retry-pending.ts';

/**
 * - `not-due`: another message made this hour's attempts, or the schedule's epoch has not begun.
 * - `woken`: the pending events are replayed, and the schedule is removed.
 * - `over`: the schedule's epoch was over, and the schedule is removed.
 */
type RetryResult = PendingRetry | { readonly kind: 'not-due' | 'woken' | 'over' };

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
  now: () => Date;
  retryIntervalMs: number;
}

/**
 * Handles an hourly schedule: attempts pending events if the integration is busy or failed in the
 * schedule's epoch, and replays them if its deliveries go on. If that epoch is over or will never
 * begin, requests a replay and removes the schedule. Throws when a port fails: the schedule fires
 * again.
 */
export const buildRetryHourly = (ports: RetryHourlyPorts): RetryHourly => {
  const retryHourly: RetryHourly = async (schedule, message) => {
    const { account, id, epoch } = schedule;
    const integration = await ports.integrations.find(account, id);
    if (integration !== undefined && integration.epoch <= epoch) {
      if (!isStopped(integration)) {
        // A trouble that is about to begin relies on this schedule, and cannot once the epoch is
        // over.
        const isWoken = await ports.troubles.wake(integration);
        return isWoken && integration.epoch === epoch
          ? { kind: 'woken' }
          : retryHourly(schedule, message);
      }
      // The schedule of a change that is not made yet: its epoch may begin at any time.
      if (integration.epoch < epoch || !(await claimRetry(integration, message, ports))) {
        return { kind: 'not-due' };
      }
      return ports.retryPending(integration, 'hourly');
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

const claimRetry = (
  integration: Integration,
  { messageId }: { messageId: string },
  { now, retryIntervalMs, states }: Pick<RetryHourlyPorts, 'now' | 'retryIntervalMs' | 'states'>,
): Promise<boolean> => {
  const claimedAt = now();
  return states.claimRetry(integration, {
    // A schedule does not fire to the second, but never twice within half an interval.
    lastBefore: new Date(claimedAt.getTime() - retryIntervalMs / 2),
    claimedAt,
    claimedBy: messageId,
    nextAttemptAt: new Date(claimedAt.getTime() + retryIntervalMs),
  });
};
