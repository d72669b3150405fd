import type { Integration, IntegrationReader } from '../../integration/integration.ts';
import type { Attempt, Trigger } from '../attempt.ts';
import { type Delivery, withAttempts } from '../delivery.ts';
import type { DeliveryLog, Logged } from '../delivery-log.ts';
import type { PendingEvent, PendingEvents } from '../pending/pending-events.ts';
import { placeOf, type SetAsideEvents } from '../pending/store-pending.ts';
import { latestAttempt } from '../trouble/begin-trouble.ts';
import type { TroubleStates, Troubles } from '../trouble/troubles.ts';
import {
  afterRefusal,
  buildSetAside,
  buildTakeBack,
  isAtFault,
  mayBeSetAside,
} from './keep-event.ts';
import { type MadeAttempt, type MakeAttempt, record } from './make-attempt.ts';
import { buildTolerateRefusal } from './settle-fatal.ts';

/** An attempt of a pending event. `wasSetAside`: the event is at fault, and is not retried. */
export interface RetryAttempt {
  readonly made: MadeAttempt;
  readonly wasSetAside: boolean;
}

/**
 * - `retried`: the last attempt decides. A confirmed one ends the trouble.
 * - `nothing-pending`: ends the trouble too, except after a manual retry of a busy integration.
 */
export type PendingRetry =
  | {
      readonly kind: 'retried';
      readonly attempts: readonly [...RetryAttempt[], RetryAttempt];
      readonly endedTrouble: boolean;
      /** When the oldest pending event occurred. RFC 3339. */
      readonly oldestOccurredAt: string;
    }
  | { readonly kind: 'nothing-pending'; readonly endedTrouble: boolean };

export type RetryPending = (
  integration: Integration,
  retry: {
    trigger: Extract<Trigger, 'hourly' | 'manual'>;
    /** No attempt begins after this instant, except the first. */
    until: Date;
  },
) => Promise<PendingRetry>;

interface Ports {
  integrations: Pick<IntegrationReader, 'find'>;
  makeAttempt: MakeAttempt;
  troubles: Pick<Troubles, 'begin' | 'end'>;
  states: Pick<TroubleStates, 'noteAttempt' | 'countSetAside' | 'extendStreak'>;
  pendingEvents: PendingEvents;
  setAsideEvents: SetAsideEvents;
  deliveryLog: Pick<DeliveryLog, 'read' | 'write'>;
  failedAfter: number;
  now: () => Date;
}

type SendablePorts = Pick<Ports, 'pendingEvents' | 'deliveryLog'>;

const TURNS = 10;
const MOST_ATTEMPTS = 3;

/**
 * Attempts pending events: first the one with the fewest attempts among the oldest ten, then, while
 * the endpoint answers with an error, the newest and the next newest. So events that are always
 * refused cannot keep the integration in trouble.
 */
export const buildRetryPending = (ports: Ports): RetryPending => {
  const attemptOne = buildAttemptPending(ports);
  return async (integration, { trigger, until }) => {
    const first = await nextInTurn(integration.id, ports);
    if (first === undefined) {
      // The trouble ends, so that the next event is attempted. A manual retry leaves an integration
      // busy whose probes still back off: callers must not add probes.
      const hasProbes = trigger === 'manual' && integration.trouble?.kind === 'busy';
      const endedTrouble = !hasProbes && (await ports.troubles.end(integration));
      return { kind: 'nothing-pending', endedTrouble };
    }
    const attempt = (event: SendableEvent) => attemptOne(integration, event, trigger);
    let latest = await attempt(first);
    const attempts: [...RetryAttempt[], RetryAttempt] = [latest];
    const tried = new Set([placeOf(first.pending.delivery)]);
    while (isRefused(latest) && attempts.length < MOST_ATTEMPTS && ports.now() <= until) {
      const next = await newestUntried(integration.id, tried, ports);
      if (next === undefined) break;
      tried.add(placeOf(next.pending.delivery));
      latest = await attempt(next);
      attempts.push(latest);
    }
    const { oldestOccurredAt } = first;
    return { kind: 'retried', attempts, endedTrouble: latest.endedTrouble, oldestOccurredAt };
  };
};

const isRefused = ({ made: { attempt } }: RetryAttempt): boolean =>
  attempt.outcome.class !== 'delivered' && attempt.outcome.result.kind === 'answered';

/** A pending event that the log does not show as delivered. */
interface SendableEvent {
  readonly pending: PendingEvent;
  readonly logged: Logged;
}

const buildAttemptPending = (ports: Ports) => {
  const setAside = buildSetAside(ports);
  const takeBack = buildTakeBack(ports);
  const tolerateRefusal = buildTolerateRefusal(ports);
  /** With `continue` a busy integration fails by refusals in a row, as an active one does. */
  const failsBusy = async (delivery: Delivery, integration: Integration, attempt: Attempt) =>
    integration.trouble?.kind === 'busy' &&
    (await tolerateRefusal(delivery, integration, {
      attempt,
      confirmsOthers: async () => false,
    })) !== 'tolerated';
  return async (
    integration: Integration,
    { pending, logged }: SendableEvent,
    trigger: Trigger,
  ): Promise<RetryAttempt & { endedTrouble: boolean }> => {
    const { delivery } = pending;
    const number = delivery.priorAttempts + 1;
    const made = await record(
      await ports.makeAttempt(delivery, integration, { number, trigger }),
      { delivery, logged },
      (entry) => ports.deliveryLog.write([entry]),
    );
    const { attempt } = made;
    if (attempt.outcome.class === 'delivered') {
      await ports.pendingEvents.removeAsRead(pending);
      await takeBack(delivery, integration);
      const confirmedAt = attempt.startedAt;
      const endedTrouble = await ports.troubles.end(integration, { confirmedAt });
      return { made, wasSetAside: false, endedTrouble };
    }
    const isFatal = attempt.outcome.class === 'fatal';
    const isSetAside =
      isFatal && mayBeSetAside(delivery, integration) && (await ports.setAsideEvents.has(delivery));
    const wasSetAside =
      isSetAside || (isFatal && isAtFault(integration, attempt, delivery.refusedAt));
    if (wasSetAside) {
      if (!isSetAside) await setAside(afterRefusal(withAttempts(delivery, 1), attempt));
      await ports.pendingEvents.removeAsRead(pending);
    } else if (isFatal && (await failsBusy(delivery, integration, attempt))) {
      await ports.troubles.begin(
        integration,
        { kind: 'failed' },
        { latest: latestAttempt(attempt) },
      );
    }
    await ports.states.noteAttempt(integration, latestAttempt(attempt));
    const { refusedAt } = isFatal ? afterRefusal(delivery, attempt) : delivery;
    if (!wasSetAside) await ports.pendingEvents.countAttempt(pending, { refusedAt });
    return { made, wasSetAside, endedTrouble: false };
  };
};

/** Removes delivered events: an endpoint that refuses duplicates would hold up all later ones. */
const nextInTurn = async (
  integration: string,
  ports: SendablePorts,
): Promise<(SendableEvent & { oldestOccurredAt: string }) | undefined> => {
  for (;;) {
    const oldest = await ports.pendingEvents.oldest(integration, TURNS);
    const [first] = oldest;
    if (first === undefined) return undefined;
    const oldestOccurredAt = first.delivery.event.occurredAt;
    const inTurn = oldest.toSorted(
      (one, other) => one.delivery.priorAttempts - other.delivery.priorAttempts,
    );
    const next = await firstSendable(inTurn, ports);
    if (next !== undefined) return { ...next, oldestOccurredAt };
  }
};

/** The newest pending event that was not tried. The last ones may turn out to be delivered. */
const newestUntried = async (
  integration: string,
  tried: ReadonlySet<string>,
  ports: SendablePorts,
): Promise<SendableEvent | undefined> => {
  const newest = await ports.pendingEvents.newest(integration, MOST_ATTEMPTS);
  const untried = newest.filter(({ delivery }) => !tried.has(placeOf(delivery)));
  return firstSendable(untried, ports);
};

const firstSendable = async (
  events: readonly PendingEvent[],
  { pendingEvents, deliveryLog }: SendablePorts,
): Promise<SendableEvent | undefined> => {
  for (const pending of events) {
    const logged = await readLogged(pending, deliveryLog);
    if (logged !== 'delivered') return { pending, logged };
    await pendingEvents.removeAsRead(pending);
  }
  return undefined;
};

/** A `manual` delivery is sent even if it was delivered. After an error it is not delivered. */
const readLogged = async (
  { delivery }: PendingEvent,
  log: Pick<DeliveryLog, 'read'>,
): Promise<Logged> => {
  if (delivery.trigger === 'manual') return 'unknown';
  const [reading] = await log.read([delivery]).catch(() => []);
  return reading === undefined || reading instanceof Error ? 'unknown' : reading.logged;
};
