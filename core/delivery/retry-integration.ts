import {
  canDeliver,
  type Integration,
  type IntegrationStore,
} from '../integrations/integration.ts';
import {
  type AttemptOldestPorts,
  createAttemptOldest,
  type OldestAttempt,
} from './attempt-oldest.ts';
import type { ReplayRequests } from './replay-requests.ts';
import type { RetrySchedule, RetrySchedules } from './retry-schedules.ts';

/**
 * - `not-due`: this hour's attempt was made already, or the schedule's incident is still to come.
 * - `over`: the schedule had nothing to do and is gone.
 */
type RetryResult = OldestAttempt | { readonly kind: 'not-due' | 'over' };

export type RetryIntegration = (schedule: RetrySchedule) => Promise<RetryResult>;

interface Ports extends AttemptOldestPorts {
  integrations: IntegrationStore;
  replays: ReplayRequests;
  schedules: RetrySchedules;
  now: () => Date;
  retryIntervalMs: number;
}

/**
 * What an hourly schedule does: one attempt, with the oldest pending event, of an integration that
 * is in trouble of the schedule's incident. A schedule of an incident that is over, or will never
 * be, asks for the replay that may be owed and removes itself. Throws when a port fails; the
 * schedule stands and fires again.
 */
export const createRetryIntegration = (ports: Ports): RetryIntegration => {
  const retry = createRetry(ports);
  return async (schedule) => {
    const { account, id, incident } = schedule;
    const integration = await ports.integrations.find(account, id);
    if (integration?.active && integration.incident === incident && !canDeliver(integration)) {
      return retry(integration);
    }
    if (integration !== undefined && integration.incident <= incident) {
      // Of an incident to come, left by a change that was not made. It may come any moment.
      if (integration.delivery.kind !== 'healthy') return { kind: 'not-due' };
      // Somebody may be about to rely on this schedule. Whoever does, on this incident, must fail.
      const isClosed = await ports.states.closeIncident(integration, incident + 1);
      if (!isClosed) throw new Error(`Integration ${id} changed while its schedule was closed.`);
    }
    await askForOwedReplay(integration, schedule, ports);
    await ports.schedules.remove(schedule);
    return { kind: 'over' };
  };
};

/** Of a deleted integration too: the replay clears away what is left of it. */
const askForOwedReplay = async (
  integration: Integration | undefined,
  { account, id }: RetrySchedule,
  { pendingEvents, replays }: Pick<Ports, 'pendingEvents' | 'replays'>,
): Promise<void> => {
  if (integration !== undefined && !canDeliver(integration)) return;
  const pending = await pendingEvents.oldest(id, 1);
  if (integration === undefined || pending.length > 0) await replays.request({ account, id });
};

const createRetry = (ports: Ports) => {
  const attemptOldest = createAttemptOldest(ports);
  return async (integration: Integration): Promise<RetryResult> => {
    const now = ports.now().getTime();
    const isClaimed = await ports.states.claimRetry(integration, {
      // A schedule fires to the minute, not to the second.
      dueBy: new Date(now + ports.retryIntervalMs / 2),
      nextAttemptAt: new Date(now + ports.retryIntervalMs),
    });
    return isClaimed ? attemptOldest(integration, 'hourly') : { kind: 'not-due' };
  };
};
