import type { Integration, IntegrationReader } from '../../integration/integration.ts';
import type { Trigger } from '../attempt.ts';
import type { Delivery } from '../delivery.ts';
import { type DeliveryLog, type LogReading, type ReadLog, readOrUnknown } from '../delivery-log.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { SetAsideEvents } from '../pending/store-pending.ts';
import { latestAttempt } from '../trouble/begin-trouble.ts';
import type { TroubleStates, Troubles } from '../trouble/troubles.ts';
import { eventsToRetry, type SendableEvent } from './events-to-retry.ts';
import { type MadeAttempt, type MakeAttempt, record, writeOne } from './make-attempt.ts';
import {
  afterRefusal,
  buildJudgeEvent,
  buildJudgeIntegration,
  type ConfirmedSince,
  type RefusalPolicy,
} from './refusal.ts';
import { buildTakeBack } from './store-event.ts';

/** An attempt of a pending event. `wasSetAside`: the event is at fault, and is not retried. */
interface RetryAttempt {
  readonly made: MadeAttempt;
  readonly wasSetAside: boolean;
}

/**
 * - `retried`: in the order in which the attempts began, but a confirmed one, which ends the
 *   trouble, is the last.
 * - `nothing-pending`: ends the trouble too, except after a manual retry of a busy integration.
 */
export type PendingRetry =
  | {
      readonly kind: 'retried';
      readonly attempts: readonly RetryAttempt[];
      readonly endedTrouble: boolean;
      /** When the oldest pending event occurred. RFC 3339. */
      readonly oldestOccurredAt: string;
    }
  | { readonly kind: 'nothing-pending'; readonly endedTrouble: boolean };

export type RetryPending = (
  integration: Integration,
  trigger: Extract<Trigger, 'hourly' | 'manual'>,
) => Promise<PendingRetry>;

export interface RetryPendingPorts extends Pick<RefusalPolicy, 'failedAfter' | 'windowMs'> {
  integrations: Pick<IntegrationReader, 'find'>;
  makeAttempt: MakeAttempt;
  troubles: Pick<Troubles, 'begin' | 'end'>;
  states: Pick<TroubleStates, 'noteAttempt' | 'countSetAside' | 'extendStreak'>;
  pendingEvents: PendingEvents;
  setAsideEvents: SetAsideEvents;
  deliveryLog: Pick<DeliveryLog, 'read' | 'write' | 'confirmedSince'>;
  /** Uniform in [0, 1). */
  random: () => number;
  wait: (ms: number) => Promise<void>;
}

interface PortsWithLog extends RetryPendingPorts {
  readLog: ReadLog;
  confirmedSince: ConfirmedSince;
}

/**
 * An attempt without an answer for so long does not hold up the next. Three attempts take at most
 * twice this and the 17 seconds of one: a caller of the API waits for 29.
 */
const SILENCE_MS = 4_000;

/**
 * Attempts up to three pending events, until one is confirmed, or an attempt shows that the trouble
 * is over: the settings that were read may have changed.
 */
export const buildRetryPending = (given: RetryPendingPorts): RetryPending => {
  const { deliveryLog } = given;
  const ports: PortsWithLog = {
    ...given,
    readLog: (delivery) => readOrUnknown(deliveryLog.read([delivery]).then(oneOf)),
    confirmedSince: (...args) => deliveryLog.confirmedSince(...args),
  };
  const attemptOne = buildAttemptPending(ports);
  return async (integration, trigger) => {
    const attempting: Promise<EndedRetry>[] = [];
    let oldestOccurredAt = '';
    try {
      const walkedTo = integration.trouble?.walkedTo;
      for await (const event of eventsToRetry(integration.id, { ...ports, walkedTo })) {
        ({ oldestOccurredAt } = event);
        attempting.push(attemptOne(integration, event, trigger));
        if (await isDecided(attempting, ports.wait(SILENCE_MS))) break;
      }
    } finally {
      await Promise.allSettled(attempting);
    }
    if (attempting.length === 0) {
      // The trouble ends, so that the next event is attempted. A manual retry leaves an integration
      // busy whose probes still back off: callers must not add probes.
      const hasProbes = trigger === 'manual' && integration.trouble?.kind === 'busy';
      const endedTrouble = !hasProbes && (await ports.troubles.end(integration));
      return { kind: 'nothing-pending', endedTrouble };
    }
    const attempts = await Promise.all(attempting);
    return {
      kind: 'retried',
      attempts: attempts.toSorted((a, b) => Number(isConfirmed(a)) - Number(isConfirmed(b))),
      endedTrouble: attempts.some(({ endedTrouble }) => endedTrouble),
      oldestOccurredAt,
    };
  };
};

/** The only reading. Throws its error. */
const oneOf = ([reading]: readonly (LogReading | Error)[]): LogReading => {
  if (reading === undefined || reading instanceof Error) throw reading;
  return reading;
};

type EndedRetry = RetryAttempt & { readonly endedTrouble: boolean; readonly isOutdated: boolean };

const isConfirmed = ({ made }: RetryAttempt): boolean => made.attempt.outcome.class === 'delivered';

/** Resolves to true once an attempt needs no other, to false once all have ended or time is up. */
const isDecided = (
  attempting: readonly Promise<EndedRetry>[],
  timeIsUp: Promise<void>,
): Promise<boolean> => {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  for (const attempt of attempting) {
    attempt.then((ended) => (isConfirmed(ended) || ended.isOutdated) && resolve(true), reject);
  }
  void Promise.allSettled(attempting).then(() => resolve(false));
  void timeIsUp.then(() => resolve(false));
  return promise;
};

/** An integration that takes no deliveries attempts an event by turns, and not as its window asks. */
const withoutWindow = (delivery: Delivery): Delivery => {
  const { backoff, refusedAt, ...others } = delivery;
  return backoff === undefined ? delivery : others;
};

const buildAttemptPending = (ports: PortsWithLog) => {
  const judge = { event: buildJudgeEvent(ports), integration: buildJudgeIntegration(ports) };
  const takeBack = buildTakeBack(ports);
  return async (
    integration: Integration,
    { pending, logged, walkedTo }: SendableEvent,
    trigger: Trigger,
  ): Promise<EndedRetry> => {
    const { delivery } = pending;
    const number = delivery.priorAttempts + 1;
    const made = await record(
      await ports.makeAttempt(delivery, integration, { number, trigger }),
      { delivery, logged },
      writeOne(ports.deliveryLog),
    );
    const { attempt } = made;
    if (attempt.outcome.class === 'delivered') {
      await ports.pendingEvents.removeAsRead(pending);
      await takeBack(delivery, integration);
      const confirmedAt = attempt.startedAt;
      const endedTrouble = await ports.troubles.end(integration, { confirmedAt });
      return { made, wasSetAside: false, endedTrouble, isOutdated: false };
    }
    const isFatal = attempt.outcome.class === 'fatal';
    const refused = { delivery: withoutWindow(delivery), integration, attempt };
    const eventVerdict = isFatal ? await judge.event(refused) : undefined;
    const isJudged = eventVerdict === 'unchanged' || eventVerdict === 'set-aside';
    if (isJudged) await ports.pendingEvents.removeAsRead(pending);
    else if (isFatal && integration.trouble?.kind === 'busy') await judge.integration(refused);
    const latest = { ...latestAttempt(attempt), walkedTo };
    const isNoted = await ports.states.noteAttempt(integration, latest);
    const isOutdated = integration.trouble !== undefined && !isNoted;
    if (!isJudged)
      await ports.pendingEvents.countAttempt(pending, isFatal ? afterRefusal(refused) : {});
    return { made, wasSetAside: eventVerdict === 'set-aside', endedTrouble: false, isOutdated };
  };
};
