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
 * - `not-due`: this hour's attempt was made already, or the schedule's epoch is still to come.
 * - `over`: the schedule had nothing to do and is gone.
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
 * What an hourly schedule does: one attempt, with the oldest pending event, of an integration that
 * is in trouble of the schedule's epoch. A schedule whose epoch is over, or will never come, asks
 * for the replay that may be owed and removes itself. Throws when a port fails; the schedule stands
 * and fires again.
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
      // The schedule of a change that was not made, or not yet: its epoch may come any moment.
      if (integration.trouble) return { kind: 'not-due' };
      // Somebody may be about to rely on this schedule. Whoever begins trouble in this epoch must fail.
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
    // A schedule fires to the minute, not to the second.
    dueBy: new Date(nowMs + retryIntervalMs / 2),
    nextAttemptAt: new Date(nowMs + retryIntervalMs),
  });
};

/** Of a deleted integration too: the replay clears away what is left of the integration. */
const askForOwedReplay = async (
  integration: Integration | undefined,
  { account, id }: IntegrationEpoch,
  { pendingEvents, replays }: Pick<Ports, 'pendingEvents' | 'replays'>,
): Promise<void> => {
  if (integration !== undefined && !canDeliver(integration)) return;
  const pending = await pendingEvents.oldest(id, 1);
  if (integration === undefined || pending.length > 0) await replays.request({ account, id });
};
