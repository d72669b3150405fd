import type { Integration, IntegrationReader } from '../../integration/integration.ts';
import type { Trigger } from '../attempt.ts';
import { type DeliveryLog, type LogReading, type ReadLog, readOrUnknown } from '../delivery-log.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { SetAsideEvents } from '../pending/store-pending.ts';
import { latestAttempt } from '../trouble/begin-trouble.ts';
import type { TroubleStates, Troubles } from '../trouble/troubles.ts';
import { buildConfirmed } from './confirmation.ts';
import { eventsToRetry, type SendableEvent } from './events-to-retry.ts';
import { buildJudgeAttempt, buildJudgeEvent, type JudgingPolicy } from './judge-attempt.ts';
import { type MadeAttempt, type MakeAttempt, record, writeOne } from './make-attempt.ts';

interface RetryAttempt {
  readonly made: MadeAttempt;
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
    }
  | { readonly kind: 'nothing-pending'; readonly endedTrouble: boolean };

export type RetryPending = (
  integration: Integration,
  trigger: Extract<Trigger, 'hourly' | 'manual'>,
) => Promise<PendingRetry>;

export interface RetryPendingPorts extends JudgingPolicy {
  integrations: Pick<IntegrationReader, 'find'>;
  makeAttempt: MakeAttempt;
  troubles: Pick<Troubles, 'begin' | 'recover'>;
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
  confirmedSince: DeliveryLog['confirmedSince'];
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
    try {
      const walkedTo = integration.trouble?.walkedTo;
      for await (const event of eventsToRetry(integration.id, { ...ports, walkedTo })) {
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
      const endedTrouble = !hasProbes && (await ports.troubles.recover(integration));
      return { kind: 'nothing-pending', endedTrouble };
    }
    const attempts = await Promise.all(attempting);
    return {
      kind: 'retried',
      attempts: attempts.toSorted((a, b) => Number(isConfirmed(a)) - Number(isConfirmed(b))),
      endedTrouble: attempts.some(({ endedTrouble }) => endedTrouble),
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

const buildAttemptPending = (ports: PortsWithLog) => {
  const settle = { confirmed: buildSettleConfirmed(ports), other: buildSettleUnconfirmed(ports) };
  return async (
    integration: Integration,
    event: SendableEvent,
    trigger: Trigger,
  ): Promise<EndedRetry> => {
    const { delivery } = event.pending;
    const number = delivery.priorAttempts + 1;
    const made = await record(
      await ports.makeAttempt(delivery, integration, { number, trigger }),
      { delivery, logged: event.logged },
      writeOne(ports.deliveryLog),
    );
    const isDelivered = made.attempt.outcome.class === 'delivered';
    return (isDelivered ? settle.confirmed : settle.other)(integration, event, made);
  };
};

const buildSettleConfirmed = (ports: PortsWithLog) => {
  const confirmed = buildConfirmed(ports);
  return async (
    integration: Integration,
    { pending }: SendableEvent,
    made: MadeAttempt,
  ): Promise<EndedRetry> => {
    await ports.pendingEvents.removeAsRead(pending);
    await confirmed({ delivery: pending.delivery, integration });
    const confirmedAt = made.attempt.startedAt;
    const endedTrouble = await ports.troubles.recover(integration, { confirmedAt });
    return { made, endedTrouble, isOutdated: false };
  };
};

const buildSettleUnconfirmed = (ports: PortsWithLog) => {
  const judgeAttempt = buildJudgeAttempt(ports);
  const judgeEvent = buildJudgeEvent(ports);
  const confirmed = buildConfirmed(ports);
  return async (
    integration: Integration,
    { pending, walkedTo }: SendableEvent,
    made: MadeAttempt,
  ): Promise<EndedRetry> => {
    const { attempt } = made;
    // The hour attempts an event by turns, and not as its window asks.
    const delivery = { ...pending.delivery, backoff: undefined };
    const judge = integration.trouble?.kind === 'busy' ? judgeAttempt : judgeEvent;
    const isFatal = attempt.outcome.class === 'fatal';
    const judged = isFatal ? await judge({ delivery, integration, attempt }) : undefined;
    if (judged?.isDelivered) await confirmed({ delivery, integration });
    const latest = { ...latestAttempt(attempt), walkedTo };
    const isNoted = await ports.states.noteAttempt(integration, latest);
    const isOutdated = integration.trouble !== undefined && !isNoted;
    if (judged?.verdict === 'unchanged') await ports.pendingEvents.removeAsRead(pending);
    else await ports.pendingEvents.countAttempt(pending);
    return { made, endedTrouble: false, isOutdated };
  };
};
