import type { DeliveryStates, Integration } from '../integrations/integration.ts';
import type { Trigger } from './attempt.ts';
import type { AttemptDelivery, MadeAttempt } from './attempt-delivery.ts';
import type { Arrivals } from './delivery-log.ts';
import type { EndTrouble } from './end-trouble.ts';
import { type EnterTrouble, latestAttempt } from './enter-trouble.ts';
import type { PendingEvent, PendingEvents } from './pending-events.ts';

/**
 * - `retried`: one attempt was made. `recovered`: it was confirmed and ended the trouble.
 * - `nothing-pending`: there is no attempt to make. `recovered`: so there was nothing to wait for, and
 *   the trouble is ended.
 */
export type OldestAttempt =
  | { readonly kind: 'retried'; readonly made: MadeAttempt; readonly recovered: boolean }
  | { readonly kind: 'nothing-pending'; readonly recovered: boolean };

export type AttemptOldest = (
  integration: Integration,
  trigger: Extract<Trigger, 'hourly' | 'manual'>,
) => Promise<OldestAttempt>;

export interface AttemptOldestPorts {
  states: DeliveryStates;
  pendingEvents: PendingEvents;
  arrivals: Arrivals;
  attemptDelivery: AttemptDelivery;
  enterTrouble: EnterTrouble;
  endTrouble: EndTrouble;
}

/**
 * One attempt, with the oldest pending event that has not arrived, of an integration that is in
 * trouble; and what follows from it.
 */
export const createAttemptOldest =
  (ports: AttemptOldestPorts): AttemptOldest =>
  async (integration, trigger) => {
    const oldest = await oldestToSend(integration.id, ports);
    if (oldest === undefined) {
      // Delivered meanwhile by another of its messages. The next event is the next attempt; of a
      // busy one the probes are, and no call from outside is to set more of them going.
      const hasProbes = trigger === 'manual' && integration.delivery.kind === 'busy';
      const recovered = !hasProbes && (await ports.endTrouble(integration));
      return { kind: 'nothing-pending', recovered };
    }
    const { delivery } = oldest;
    const number = delivery.priorAttempts + 1;
    const made = await ports.attemptDelivery(delivery, integration, { number, trigger });
    if (made.attempt.outcome.class === 'delivered') {
      await ports.pendingEvents.remove(delivery);
      return { kind: 'retried', made, recovered: await ports.endTrouble(integration) };
    }
    if (made.attempt.outcome.class === 'fatal') {
      await ports.enterTrouble(integration, 'failed', made.attempt);
    }
    await ports.states.noteAttempt(integration, latestAttempt(made.attempt));
    await ports.pendingEvents.countAttempt(oldest);
    return { kind: 'retried', made, recovered: false };
  };

/**
 * Removes those on its way that have arrived: an endpoint that refuses what it knows would keep
 * all later ones waiting. A log that cannot be read decides nothing.
 */
const oldestToSend = async (
  integration: string,
  { pendingEvents, arrivals }: Pick<AttemptOldestPorts, 'pendingEvents' | 'arrivals'>,
): Promise<PendingEvent | undefined> => {
  for (;;) {
    const [oldest] = await pendingEvents.oldest(integration, 1);
    if (oldest === undefined || oldest.delivery.trigger === 'manual') return oldest;
    const hasArrived = await arrivals.hasArrived(oldest.delivery).catch(() => false);
    if (!hasArrived) return oldest;
    await pendingEvents.removeAsRead(oldest);
  }
};
