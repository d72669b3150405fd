import {
  canDeliver,
  type DeliveryStates,
  type Integration,
  type IntegrationStore,
} from '../integrations/integration.ts';
import type { AttemptDelivery, MadeAttempt } from './attempt-delivery.ts';
import { type EnterTrouble, latestAttempt } from './enter-trouble.ts';
import type { PendingEvents } from './pending-events.ts';
import type { RecoverIntegration } from './recover-integration.ts';
import type { ReplayRequests } from './replay-requests.ts';
import type { RetrySchedule, RetrySchedules } from './retry-schedules.ts';

/**
 * - `retried`: one attempt was made. `recovered`: it was confirmed and ended the trouble.
 * - `not-due`: this hour's attempt was made already, or the schedule's incident is still to come.
 * - `nothing-pending`: there is no attempt to make, so nothing to wait for: the trouble is ended.
 * - `over`: the schedule had nothing to do and is gone.
 */
type RetryResult =
  | { readonly kind: 'retried'; readonly made: MadeAttempt; readonly recovered: boolean }
  | { readonly kind: 'not-due' | 'nothing-pending' | 'over' };

export type RetryIntegration = (schedule: RetrySchedule) => Promise<RetryResult>;

interface Ports {
  integrations: IntegrationStore;
  states: DeliveryStates;
  pendingEvents: PendingEvents;
  attemptDelivery: AttemptDelivery;
  enterTrouble: EnterTrouble;
  recoverIntegration: RecoverIntegration;
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
  const attemptOldest = async (integration: Integration): Promise<RetryResult> => {
    const [oldest] = await ports.pendingEvents.oldest(integration.id, 1);
    if (oldest === undefined) {
      // Delivered meanwhile by another of its messages. The next event is the next attempt.
      await ports.recoverIntegration(integration);
      return { kind: 'nothing-pending' };
    }
    const { delivery } = oldest;
    const number = delivery.priorAttempts + 1;
    const made = await ports.attemptDelivery(delivery, integration, { number, trigger: 'hourly' });
    if (made.attempt.outcome.class === 'delivered') {
      await ports.pendingEvents.remove(delivery);
      return { kind: 'retried', made, recovered: await ports.recoverIntegration(integration) };
    }
    if (made.attempt.outcome.class === 'fatal') {
      await ports.enterTrouble(integration, 'failed', made.attempt);
    }
    await ports.states.noteAttempt(integration, latestAttempt(made.attempt));
    await ports.pendingEvents.countAttempt(oldest);
    return { kind: 'retried', made, recovered: false };
  };

  return async (integration: Integration): Promise<RetryResult> => {
    const now = ports.now().getTime();
    const isClaimed = await ports.states.claimRetry(integration, {
      // A schedule fires to the minute, not to the second.
      dueBy: new Date(now + ports.retryIntervalMs / 2),
      nextAttemptAt: new Date(now + ports.retryIntervalMs),
    });
    return isClaimed ? attemptOldest(integration) : { kind: 'not-due' };
  };
};
