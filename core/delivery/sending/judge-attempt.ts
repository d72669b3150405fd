import { isReplaying } from '../../integration/integration.ts';
import { endOf, isRefusal, isSent } from '../attempt.ts';
import { afterAttempt, isReplayed } from '../delivery.ts';
import type { DeliveryLog, LoggedAttempt, Reading, ReadLog } from '../delivery-log.ts';
import {
  type AttemptStates,
  type BeginTrouble,
  isInARow,
  latestAttempt,
} from '../trouble/begin-trouble.ts';
import { isWindowOver, msBetween, type Unconfirmed, type WindowPolicy } from './event-window.ts';
import { buildSetAside, mayBeSetAside, type SetAsidePorts } from './store-event.ts';
import { type Asked, type Facts, judge, type Verdict } from './verdict.ts';

export interface JudgingPolicy extends WindowPolicy {
  /** Tolerated refusals of different events in a row after which an integration is failed. */
  failedAfter: number;
}

export interface JudgingPorts extends SetAsidePorts, JudgingPolicy {
  states: SetAsidePorts['states'] & Pick<AttemptStates, 'extendStreak'>;
  troubles: { begin: BeginTrouble };
  readLog: ReadLog;
  confirmedSince: DeliveryLog['confirmedSince'];
}

interface Judgement {
  /** `outdated`: the integration was changed, or confirmed another event, since the attempt began. */
  readonly verdict: Verdict | 'outdated';
  /** Whether the log has a confirmation of the delivery. */
  readonly isDelivered: boolean;
}

export type JudgeAttempt = (unconfirmed: Unconfirmed) => Promise<Judgement>;

/** Judges the last attempt of a delivery, whatever caused it, and does what follows at once. */
export const buildJudgeAttempt = (ports: JudgingPorts): JudgeAttempt => {
  const setAside = buildSetAside(ports);
  return async (unconfirmed) => {
    const { known, ask } = await factsOf(unconfirmed, ports);
    const { verdict, facts } = await judge(known, ask);
    const { isDelivered, isInARow: isInStreak, isSent: wasSent } = facts;
    if (verdict === 'set-aside') await setAside(afterAttempt(unconfirmed.delivery));
    if (verdict !== 'failed') return { verdict, isDelivered };
    const confirmedOthers = !isInStreak && wasSent && (await ask.othersConfirmed());
    const { integration, delivery, attempt } = unconfirmed;
    const trouble = {
      kind: 'failed',
      // Without a request no confirmation of the event, which may be an old one, ends the trouble.
      ...(wasSent && { event: delivery.event.id }),
      ...(confirmedOthers && { confirmedOthers }),
    } as const;
    const because = { latest: latestAttempt(attempt), onlyInStreak: isInStreak };
    const hasBegun = await ports.troubles.begin(integration, trouble, because);
    return { verdict: hasBegun ? 'failed' : isInStreak ? 'waits' : 'outdated', isDelivered };
  };
};

/** Judges an attempt as far as the event is concerned; its integration stays as it is. */
export const buildJudgeEvent =
  (ports: JudgingPorts): JudgeAttempt =>
  async (unconfirmed) => {
    const { known, ask } = await factsOf(unconfirmed, ports);
    const { isDelivered } = known;
    const isDone = isDelivered || (await ask.isSetAside());
    return { verdict: isDone ? 'unchanged' : 'waits', isDelivered };
  };

interface Questions {
  readonly known: Omit<Facts, Asked>;
  readonly ask: Readonly<Record<Asked, () => Promise<boolean>>>;
}

const factsOf = async (unconfirmed: Unconfirmed, ports: JudgingPorts): Promise<Questions> => {
  const { delivery, integration, attempt } = unconfirmed;
  const sent = isSent(attempt.outcome);
  const reading: Reading = sent ? await ports.readLog(delivery) : { logged: 'unknown' };
  const wasRefused = wasRefusedBefore(unconfirmed, reading);
  let confirmed: Promise<boolean> | undefined;
  return {
    known: {
      isDelivered: reading.logged === 'delivered',
      isSent: sent,
      isRefused: isRefusal(attempt.outcome),
      isWindowOver: isWindowOver(unconfirmed, ports) && showsWindow(unconfirmed, reading, ports),
      mayContinue: integration.settings.onFatalError === 'continue',
      isWaiting: isReplayed(delivery) && (delivery.backoff?.since ?? '') >= integration.updatedAt,
      isOfReplay: isReplayed(delivery) || wasRefused || isReplaying(integration, attempt.startedAt),
    },
    ask: {
      isSetAside: async () =>
        (wasRefused || mayBeSetAside(delivery, integration)) && ports.setAsideEvents.has(delivery),
      othersConfirmed: () => {
        confirmed ??= hasConfirmedOthers(unconfirmed, reading, ports);
        return confirmed;
      },
      isInARow: () => isInARowWith(unconfirmed, ports),
    },
  };
};

const wasRefusedBefore = (
  { attempt }: Unconfirmed,
  { firstAttempt, latestAttempt: latest }: Reading,
): boolean =>
  [firstAttempt, latest].some(
    (other: LoggedAttempt | undefined) =>
      other?.outcome === 'fatal' &&
      other.statusCode !== undefined &&
      other.startedAt < attempt.startedAt.toISOString(),
  );

const firstFailureIn = ({ latestAttempt: latest, firstAttempt = latest }: Reading) =>
  firstAttempt?.startedAt;

/** Receives can end without an attempt: the log must show attempts for half of the window. */
const showsWindow = (
  { attempt }: Unconfirmed,
  reading: Reading,
  { windowMs }: WindowPolicy,
): boolean => msBetween(firstFailureIn(reading), endOf(attempt)) >= windowMs / 2;

/**
 * Whether the endpoint confirmed another event since this one first failed, or in a window that ends
 * now, with the present settings. The integration shows successes that ended a streak or a trouble,
 * or that a replay noted; the log shows the latest. An error of the log counts as no success.
 */
const hasConfirmedOthers = async (
  { integration, attempt }: Unconfirmed,
  reading: Reading,
  { confirmedSince, windowMs }: JudgingPorts,
): Promise<boolean> => {
  const startedMs = attempt.startedAt.getTime();
  const firstMs = Date.parse(firstFailureIn(reading) ?? attempt.startedAt.toISOString());
  const earliestMs = Math.min(firstMs, startedMs - windowMs);
  const since = new Date(Math.max(earliestMs, Date.parse(integration.updatedAt)));
  if ((integration.confirmedAt ?? '') >= since.toISOString()) return true;
  return confirmedSince(integration.id, since).catch(() => false);
};

/** Counts an event once in its window. */
const isInARowWith = async (unconfirmed: Unconfirmed, ports: JudgingPorts): Promise<boolean> => {
  const { delivery, integration, attempt } = unconfirmed;
  const isCounted = (delivery.backoff?.since ?? '') >= integration.updatedAt;
  if (isCounted && !isWindowOver(unconfirmed, ports)) return false;
  const now = endOf(attempt);
  const refusal = { count: 'refusals', startedAt: attempt.startedAt, endedAt: now } as const;
  const streak = await ports.states.extendStreak(integration, refusal);
  return isInARow(streak, { count: 'refusals', most: ports.failedAfter, now });
};
