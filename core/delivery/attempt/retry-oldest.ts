import type { Integration, IntegrationStore } from '../../integration/integration.ts';
import type { Trigger } from '../attempt.ts';
import { withAttempts } from '../delivery.ts';
import type { DeliveryLog, Logged } from '../delivery-log.ts';
import type { PendingEvent, PendingEvents } from '../pending/pending-events.ts';
import type { SetAsideEvents } from '../pending/set-aside-events.ts';
import { latestAttempt, type TroubleStates, type Troubles } from '../trouble/troubles.ts';
import { type MadeAttempt, type MakeAttempt, record } from './make-attempt.ts';
import { afterRefusal, buildSetAside, buildTakeBack, isAtFault } from './set-aside.ts';

/**
 * - `retried`: an attempt was made. A confirmed attempt ends the trouble. `wasSetAside`: the event
 *   itself is at fault, and nothing retries it any more.
 * - `nothing-pending`: there is no event to attempt, which ends the trouble too, except after a
 *   manual retry of a busy integration.
 */
export type OldestRetry =
  | {
      readonly kind: 'retried';
      readonly made: MadeAttempt;
      readonly endedTrouble: boolean;
      readonly wasSetAside: boolean;
      /** When the oldest pending event occurred, whichever was attempted. RFC 3339. */
      readonly oldestOccurredAt: string;
    }
  | { readonly kind: 'nothing-pending'; readonly endedTrouble: boolean };

export type RetryOldest = (
  integration: Integration,
  trigger: Extract<Trigger, 'hourly' | 'manual'>,
) => Promise<OldestRetry>;

export interface RetryOldestPorts {
  integrations: IntegrationStore;
  makeAttempt: MakeAttempt;
  troubles: Troubles;
  states: Pick<TroubleStates, 'noteAttempt' | 'countSetAside'>;
  pendingEvents: PendingEvents;
  setAsideEvents: SetAsideEvents;
  deliveryLog: DeliveryLog;
}

/** A retry takes turns among so many of the oldest pending events. */
const TURNS = 10;

/**
 * Makes one attempt for an integration in trouble, of a pending event that was not delivered, and
 * does what follows from its outcome. Of the oldest ten the event with the fewest attempts has its
 * turn, so that no event that the endpoint always refuses keeps the others waiting.
 */
export const buildRetryOldest = (ports: RetryOldestPorts): RetryOldest => {
  const setAside = buildSetAside(ports);
  const takeBack = buildTakeBack(ports);
  return async (integration, trigger) => {
    const next = await nextToSend(integration.id, ports);
    if (next === undefined) {
      // The pending delivery was delivered meanwhile, by another of its messages. The trouble ends,
      // so that the next event is attempted. A busy integration has probes, the messages that are
      // backing off: a manual retry leaves it busy, because no caller is to add probes.
      const hasProbes = trigger === 'manual' && integration.trouble?.kind === 'busy';
      const endedTrouble = !hasProbes && (await ports.troubles.end(integration));
      return { kind: 'nothing-pending', endedTrouble };
    }
    const { pending, oldestOccurredAt, logged } = next;
    const { delivery } = pending;
    const number = delivery.priorAttempts + 1;
    const made = await record(
      await ports.makeAttempt(delivery, integration, { number, trigger }),
      { delivery, logged },
      (entry) => ports.deliveryLog.write([entry]),
    );
    const { attempt } = made;
    const retried = {
      kind: 'retried' as const,
      made,
      endedTrouble: false,
      wasSetAside: false,
      oldestOccurredAt,
    };
    if (attempt.outcome.class === 'delivered') {
      await ports.pendingEvents.removeAsRead(pending);
      await takeBack(delivery);
      const confirmedAt = attempt.startedAt;
      return { ...retried, endedTrouble: await ports.troubles.end(integration, { confirmedAt }) };
    }
    const isFatal = attempt.outcome.class === 'fatal';
    const wasSetAside = isFatal && isAtFault(integration, attempt, delivery.refusedAt);
    if (wasSetAside) {
      await setAside(afterRefusal(withAttempts(delivery, 1), attempt));
      await ports.pendingEvents.removeAsRead(pending);
    } else if (isFatal) {
      await ports.troubles.begin(integration, 'failed', attempt);
    }
    await ports.states.noteAttempt(integration, latestAttempt(attempt));
    const { refusedAt } = isFatal ? afterRefusal(delivery, attempt) : delivery;
    if (!wasSetAside) await ports.pendingEvents.countAttempt(pending, { refusedAt });
    return { ...retried, wasSetAside };
  };
};

/**
 * The pending event that has its turn. Removes events that were delivered on the way there: an
 * endpoint that refuses duplicates would keep all later events waiting. If the log cannot be read,
 * an event is taken as not delivered.
 */
const nextToSend = async (
  integration: string,
  { pendingEvents, deliveryLog }: Pick<RetryOldestPorts, 'pendingEvents' | 'deliveryLog'>,
): Promise<{ pending: PendingEvent; oldestOccurredAt: string; logged: Logged } | undefined> => {
  for (;;) {
    const oldest = await pendingEvents.oldest(integration, TURNS);
    const [first] = oldest;
    if (first === undefined) return undefined;
    const oldestOccurredAt = first.delivery.event.occurredAt;
    const inTurn = oldest.toSorted(
      (one, other) => one.delivery.priorAttempts - other.delivery.priorAttempts,
    );
    for (const pending of inTurn) {
      const logged = await whatIsLogged(pending, deliveryLog);
      if (logged !== 'delivered') return { pending, oldestOccurredAt, logged };
      await pendingEvents.removeAsRead(pending);
    }
  }
};

/** Not asked about a `manual` delivery, which is sent even if it was delivered. */
const whatIsLogged = async (
  { delivery }: PendingEvent,
  log: Pick<DeliveryLog, 'read'>,
): Promise<Logged> => {
  if (delivery.trigger === 'manual') return 'unknown';
  const [logged = 'unknown'] = await log.read([delivery]).catch(() => []);
  return logged instanceof Error ? 'unknown' : logged;
};
