import {
  canDeliver,
  type Integration,
  type IntegrationEpoch,
  type IntegrationStore,
} from '../../integration/integration.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { RetrySchedules } from '../trouble/retry-schedules.ts';
import type { TroubleStates } from '../trouble/troubles.ts';
import type { OldestRetry, RetryOldest } from './retry-oldest.ts';

/**
 * - `not-due`: this hour's attempt was made already, or the schedule's epoch has not begun yet.
 * - `over`: the schedule had nothing to do and is removed.
 */
type RetryResult = OldestRetry | { readonly kind: 'not-due' | 'over' };

export type RetryHourly = (schedule: IntegrationEpoch) => Promise<RetryResult>;

interface Ports {
  integrations: IntegrationStore;
  retryOldest: RetryOldest;
  states: Pick<TroubleStates, 'claimRetry' | 'closeEpoch'>;
  pendingEvents: Pick<PendingEvents, 'oldest'>;
  replays: ReplayRequests;
  schedules: RetrySchedules;
  now: () => Date;
  retryIntervalMs: number;
}

/**
 * What an hourly schedule does: one attempt of a pending event in its turn, if the integration is in
 * trouble in the schedule's epoch. If that epoch is over or will never begin, the schedule removes
 * itself, and first asks for a replay if events may be pending. Throws when a port fails: the
 * schedule stays and fires again.
 */
export const buildRetryHourly =
  (ports: Ports): RetryHourly =>
  async (schedule) => {
    const { account, id, epoch } = schedule;
    const integration = await ports.integrations.find(account, id);
    if (integration?.active && integration.epoch === epoch && integration.trouble) {
      return (await claimRetry(integration, ports))
        ? ports.retryOldest(integration, 'hourly')
        : { kind: 'not-due' };
    }
    if (integration !== undefined && integration.epoch <= epoch) {
      // The schedule of a change that is not made yet: its epoch may begin at any time.
      if (integration.trouble) return { kind: 'not-due' };
      // Another process may be about to begin a trouble and rely on this schedule. Once the epoch
      // is closed, no trouble can begin in it.
      const isClosed = await ports.states.closeEpoch(integration, epoch + 1);
      if (!isClosed) throw new Error(`Integration ${id} changed while its schedule was closed.`);
    }
    await askForOwedReplay(integration, schedule, ports);
    await ports.schedules.remove(schedule);
    return { kind: 'over' };
  };

const claimRetry = (
  integration: Integration,
  { now, retryIntervalMs, states }: Pick<Ports, 'now' | 'retryIntervalMs' | 'states'>,
): Promise<boolean> => {
  const nowMs = now().getTime();
  return states.claimRetry(integration, {
    // A schedule does not fire to the second: an attempt due within half an interval counts as due.
    dueBy: new Date(nowMs + retryIntervalMs / 2),
    nextAttemptAt: new Date(nowMs + retryIntervalMs),
  });
};

/** For a deleted integration too: the replay removes its pending events and its delivery log. */
const askForOwedReplay = async (
  integration: Integration | undefined,
  { account, id }: IntegrationEpoch,
  { pendingEvents, replays }: Pick<Ports, 'pendingEvents' | 'replays'>,
): Promise<void> => {
  if (integration !== undefined && !canDeliver(integration)) return;
  const pending = await pendingEvents.oldest(id, 1);
  if (integration === undefined || pending.length > 0) await replays.request({ account, id });
};
