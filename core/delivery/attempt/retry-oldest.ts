import type { Integration } from '../../integration/integration.ts';
import type { Trigger } from '../attempt.ts';
import type { DeliveryLog } from '../delivery-log.ts';
import type { PendingEvent, PendingEvents } from '../pending/pending-events.ts';
import { latestAttempt, type TroubleStates, type Troubles } from '../trouble/troubles.ts';
import type { MadeAttempt, MakeAttempt } from './make-attempt.ts';

/**
 * - `retried`: an attempt was made. A confirmed attempt ends the trouble.
 * - `nothing-pending`: there is no event to attempt, which ends the trouble too, except after a
 *   manual retry of a busy integration.
 */
export type OldestRetry =
  | { readonly kind: 'retried'; readonly made: MadeAttempt; readonly endedTrouble: boolean }
  | { readonly kind: 'nothing-pending'; readonly endedTrouble: boolean };

export type RetryOldest = (
  integration: Integration,
  trigger: Extract<Trigger, 'hourly' | 'manual'>,
) => Promise<OldestRetry>;

export interface RetryOldestPorts {
  makeAttempt: MakeAttempt;
  troubles: Troubles;
  states: Pick<TroubleStates, 'noteAttempt'>;
  pendingEvents: PendingEvents;
  deliveryLog: Pick<DeliveryLog, 'wasDelivered'>;
}

/**
 * Makes one attempt for an integration in trouble, of the oldest pending event that was not
 * delivered, and does what follows from its outcome.
 */
export const buildRetryOldest =
  (ports: RetryOldestPorts): RetryOldest =>
  async (integration, trigger) => {
    const oldest = await oldestToSend(integration.id, ports);
    if (oldest === undefined) {
      // The pending delivery was delivered meanwhile, by another of its messages. The trouble ends,
      // so that the next event is attempted. A busy integration has probes, the messages that are
      // backing off: a manual retry leaves it busy, because no caller is to add probes.
      const hasProbes = trigger === 'manual' && integration.trouble?.kind === 'busy';
      const endedTrouble = !hasProbes && (await ports.troubles.end(integration));
      return { kind: 'nothing-pending', endedTrouble };
    }
    const { delivery } = oldest;
    const number = delivery.priorAttempts + 1;
    const made = await ports.makeAttempt(delivery, integration, { number, trigger });
    if (made.attempt.outcome.class === 'delivered') {
      await ports.pendingEvents.removeAsRead(oldest);
      const confirmedAt = made.attempt.startedAt;
      const endedTrouble = await ports.troubles.end(integration, { confirmedAt });
      return { kind: 'retried', made, endedTrouble };
    }
    if (made.attempt.outcome.class === 'fatal') {
      await ports.troubles.begin(integration, 'failed', made.attempt);
    }
    await ports.states.noteAttempt(integration, latestAttempt(made.attempt));
    await ports.pendingEvents.countAttempt(oldest);
    return { kind: 'retried', made, endedTrouble: false };
  };

/**
 * The oldest pending event that was not delivered. Removes the older events, which were delivered:
 * an endpoint that refuses duplicates would keep all later events waiting. If the log cannot be
 * read, an event is taken as not delivered.
 */
const oldestToSend = async (
  integration: string,
  { pendingEvents, deliveryLog }: Pick<RetryOldestPorts, 'pendingEvents' | 'deliveryLog'>,
): Promise<PendingEvent | undefined> => {
  for (;;) {
    const [oldest] = await pendingEvents.oldest(integration, 1);
    if (oldest === undefined || oldest.delivery.trigger === 'manual') return oldest;
    const wasDelivered = await deliveryLog.wasDelivered(oldest.delivery).catch(() => false);
    if (!wasDelivered) return oldest;
    await pendingEvents.removeAsRead(oldest);
  }
};
