import type { Integration } from '../../integration/integration.ts';
import { ASKING_TO_WAIT, type Attempt, endOf, isRefusal, subjectOf } from '../attempt.ts';
import { afterAttempt, type Backoff, type Delivery, isReplayed } from '../delivery.ts';
import type { DeliveryLog, LoggedAttempt, Reading, ReadLog } from '../delivery-log.ts';
import {
  type AttemptStates,
  type BeginTrouble,
  isInARow,
  latestAttempt,
} from '../trouble/begin-trouble.ts';
import { backoffAfter } from './backoff.ts';
import { buildSetAside, buildTakeBack, mayBeSetAside, type SetAsidePorts } from './store-event.ts';

export type ConfirmedSince = DeliveryLog['confirmedSince'];

/** When refused events are attempted again, and for how long. */
export interface RefusalPolicy {
  /** Tolerated refusals of different events in a row after which an integration is failed. */
  failedAfter: number;
  retryIntervalMs: number;
  /** In which all attempts of an event must fail before the event is set aside. */
  windowMs: number;
}

export interface RefusalPorts extends SetAsidePorts, RefusalPolicy {
  states: SetAsidePorts['states'] & Pick<AttemptStates, 'extendStreak'>;
  troubles: { begin: BeginTrouble };
  readLog: ReadLog;
  confirmedSince: ConfirmedSince;
}

/** The last attempt of a delivery that the endpoint has not confirmed. */
export interface Refused {
  /** As it was before the attempt. */
  readonly delivery: Delivery;
  /** As it was read before the attempt. */
  readonly integration: Integration;
  readonly attempt: Attempt;
}

/**
 * What follows from a fatal outcome:
 * - `unchanged`: nothing. The endpoint confirmed the event, or its refusal is known.
 * - `set-aside`: the event itself is at fault.
 * - `kept`: the event waits for its next attempt; the integration goes on.
 * - `failed`: the integration is failed. The event waits for it.
 * - `outdated`: the integration was changed since the attempt began.
 */
export type Verdict =
  | { readonly kind: 'unchanged' | 'set-aside' | 'failed' | 'outdated' }
  | { readonly kind: 'kept'; readonly delivery: Delivery; readonly dueAt: Date };

/** A refused delivery that its failed integration stores: its window has not begun. */
export const afterRefusal = ({ delivery, attempt }: Omit<Refused, 'integration'>): Delivery => ({
  ...afterAttempt(delivery),
  refusedAt: isOfRequest(attempt) ? endOf(attempt).toISOString() : undefined,
});

/** Judges a fatal outcome, whatever caused the attempt. */
export const buildJudgeRefusal = (ports: RefusalPorts) => {
  const judge = { event: buildJudgeEvent(ports), integration: buildJudgeIntegration(ports) };
  return async (refused: Refused): Promise<Verdict> => {
    const ofEvent = await judge.event(refused);
    if (ofEvent === 'refused-before') return kept(refused, ports);
    if (ofEvent !== undefined) return { kind: ofEvent };
    const ofIntegration = await judge.integration(refused);
    return ofIntegration === 'kept' ? kept(refused, ports) : { kind: ofIntegration };
  };
};

/** As far as the event alone is concerned. Undefined: its integration has to be judged. */
export const buildJudgeEvent = (ports: EventPorts) => {
  const setAside = buildSetAside(ports);
  const takeBack = buildTakeBack(ports);
  return async (
    refused: Refused,
  ): Promise<'unchanged' | 'set-aside' | 'refused-before' | undefined> => {
    const { delivery, integration, attempt } = refused;
    const isSent = subjectOf(attempt.outcome) !== 'service';
    const reading: Reading = isSent ? await ports.readLog(delivery) : { logged: 'unknown' };
    if (reading.logged === 'delivered') {
      await takeBack(delivery, integration);
      return 'unchanged';
    }
    const isRefusedBefore = wasRefusedBefore(refused, reading);
    const isSetAside =
      (isRefusedBefore || mayBeSetAside(delivery, integration)) &&
      (await ports.setAsideEvents.has(delivery));
    if (isSetAside) return 'unchanged';
    if (isRefusedBefore) return 'refused-before';
    if (!isSent || !(await isAtFault(refused, reading, ports))) return undefined;
    await setAside(afterRefusal(refused));
    return 'set-aside';
  };
};

/** Whether this is a new message of an event that was refused: its refusal is not judged again. */
const wasRefusedBefore = (
  { attempt }: Refused,
  { firstAttempt, latestAttempt: latest }: Reading,
): boolean => {
  const isEarlierRefusal = (other: LoggedAttempt | undefined) =>
    other?.outcome === 'fatal' &&
    other.statusCode !== undefined &&
    other.startedAt < attempt.startedAt.toISOString();
  return attempt.trigger === 'event' && [firstAttempt, latest].some(isEarlierRefusal);
};

/**
 * Whether the event and not the endpoint is at fault. An answer that speaks of the request: the
 * second, with another event confirmed in between, with the present settings. Any other outcome, or
 * none: if nothing else came in a whole window in which others were confirmed.
 */
const isAtFault = async (
  refused: Refused,
  reading: Reading,
  ports: WindowPorts,
): Promise<boolean> => {
  const { delivery, integration, attempt } = refused;
  if (isOfRequest(attempt)) {
    const { refusedAt, backoff } = delivery;
    const { confirmedAt = '', updatedAt } = integration;
    const wasOfRequest = refusedAt !== undefined && backoff === undefined;
    return wasOfRequest && refusedAt >= updatedAt && confirmedAt > refusedAt;
  }
  const window = windowOf(refused);
  const endedAt = endOf(attempt);
  const isOver = msBetween(window?.since, endedAt) >= ports.windowMs;
  if (window === undefined || !isOver || !showsAttempts(reading, endedAt, ports)) return false;
  return hasConfirmedOthers(refused, ports, window.since);
};

/** Receives can end without an attempt: in a window the log must show attempts for half of it. */
const showsAttempts = (
  { latestAttempt, firstAttempt = latestAttempt }: Reading,
  endedAt: Date,
  { windowMs }: WindowPorts,
): boolean => msBetween(firstAttempt?.startedAt, endedAt) >= windowMs / 2;

type WindowPorts = Pick<RefusalPorts, 'confirmedSince' | 'windowMs'>;

type EventPorts = SetAsidePorts & WindowPorts & Pick<RefusalPorts, 'readLog'>;

/** The window that the attempt continues. A change of settings ends it, unless nothing was answered. */
const windowOf = ({ delivery, integration, attempt }: Refused): Backoff | undefined => {
  const { backoff } = delivery;
  const isKept =
    attempt.outcome.class === 'transient' || (backoff?.since ?? '') >= integration.updatedAt;
  return isKept ? backoff : undefined;
};

/**
 * When a refused event is due, in retry intervals after its window began; the last time at its end. It
 * is attempted up to an interval later.
 */
const DUE_AFTER = [1 / 12, 1.75, 5.75];

const kept = (refused: Refused, { retryIntervalMs, windowMs }: RefusalPolicy): Verdict => {
  const { delivery, attempt } = refused;
  const endedAt = endOf(attempt);
  const dueAfterMs = DUE_AFTER.map((intervals) => intervals * retryIntervalMs);
  if (isOfRequest(attempt)) {
    const dueAt = new Date(endedAt.getTime() + (dueAfterMs[0] ?? 0));
    return { kind: 'kept', delivery: afterRefusal(refused), dueAt };
  }
  const window = windowOf(refused);
  const isOver = msBetween(window?.since, endedAt) >= windowMs;
  const backoff = backoffAfter(
    { backoff: isOver ? undefined : window },
    { attempts: 1, hasSlot: false, since: endedAt },
  );
  const elapsedMs = msBetween(backoff.since, endedAt);
  const dueMs = dueAfterMs.find((ms) => ms > elapsedMs) ?? windowMs;
  return {
    kind: 'kept',
    delivery: { ...afterAttempt(delivery, backoff), refusedAt: endedAt.toISOString() },
    dueAt: new Date(Date.parse(backoff.since) + Math.min(dueMs, windowMs)),
  };
};

/** As far as the integration is concerned: `kept` if it goes on. */
export const buildJudgeIntegration = (ports: IntegrationPorts) => {
  const tolerate = buildTolerate(ports);
  return async (refused: Refused): Promise<'kept' | 'failed' | 'outdated'> => {
    const { integration, attempt, delivery } = refused;
    const tolerated = await tolerate(refused);
    if (tolerated === 'tolerated') return 'kept';
    const isTooMany = tolerated === 'too-many';
    const isSent = subjectOf(attempt.outcome) !== 'service';
    const confirmedOthers = !isTooMany && isSent && (await hasConfirmedOthers(refused, ports));
    const trouble = {
      kind: 'failed',
      // Without a request no confirmation of the event, which may be an old one, ends the trouble.
      ...(isSent && { event: delivery.event.id }),
      ...(confirmedOthers && { confirmedOthers }),
    } as const;
    const because = { latest: latestAttempt(attempt), ...(isTooMany && { onlyInStreak: true }) };
    if (await ports.troubles.begin(integration, trouble, because)) return 'failed';
    return isTooMany ? 'kept' : 'outdated';
  };
};

type IntegrationPorts = WindowPorts &
  Pick<RefusalPorts, 'troubles' | 'failedAfter'> & {
    states: Pick<AttemptStates, 'extendStreak'>;
  };

/** For so long an endpoint that takes so many requests a minute may refuse all others. */
const LIMITED_MS = 65_000;

/**
 * Tolerates the refusal of one event if the customer chose `continue`, or if it was replayed and
 * the endpoint confirms others; `too-many` after too many different events in a row. Counts each
 * event once in a streak.
 */
const buildTolerate =
  (ports: IntegrationPorts) =>
  async (refused: Refused): Promise<'tolerated' | 'too-many' | 'not-tolerated'> => {
    const { delivery, integration, attempt } = refused;
    const { outcome, startedAt } = attempt;
    if (!isRefusal(outcome)) return 'not-tolerated';
    const mayContinue =
      integration.settings.onFatalError === 'continue' ||
      (isReplayed(delivery) && (await hasConfirmedOthers(refused, ports)));
    if (!mayContinue) return 'not-tolerated';
    if (isCounted(refused, ports)) return 'tolerated';
    const now = endOf(attempt);
    const outcomeInStreak = { count: 'refusals', startedAt, endedAt: now } as const;
    const streak = await ports.states.extendStreak(integration, outcomeInStreak);
    const waitMs = ASKING_TO_WAIT.has(latestAttempt(attempt).statusCode) ? LIMITED_MS : 0;
    const isTooMany =
      msBetween(streak?.since, now) >= waitMs &&
      isInARow(streak, { count: 'refusals', most: ports.failedAfter, now });
    return isTooMany ? 'too-many' : 'tolerated';
  };

/** An event counts once in a streak, and once in its window. */
const isCounted = (refused: Refused, { windowMs }: WindowPorts): boolean => {
  const { delivery, integration, attempt } = refused;
  const { refusedAt } = delivery;
  if (refusedAt === undefined) return false;
  const window = windowOf(refused);
  const isContinued = window !== undefined && msBetween(window.since, endOf(attempt)) < windowMs;
  return isContinued || (integration.streak !== undefined && refusedAt >= integration.streak.since);
};

/** A window before the attempt; with the present settings, if it was answered with an error. */
const sinceWindow = ({ integration, attempt }: Refused, { windowMs }: WindowPorts): string => {
  const since = new Date(attempt.startedAt.getTime() - windowMs).toISOString();
  const { updatedAt } = integration;
  return attempt.outcome.class === 'transient' || updatedAt < since ? since : updatedAt;
};

/**
 * Whether the endpoint confirmed another event since an instant. The integration shows successes
 * that ended a streak or a trouble, or that a replay noted; the log shows the latest. An error of
 * the log counts as no success.
 */
const hasConfirmedOthers = async (
  refused: Refused,
  ports: WindowPorts,
  since = sinceWindow(refused, ports),
): Promise<boolean> =>
  (refused.integration.confirmedAt ?? '') >= since ||
  ports.confirmedSince(refused.integration.id, new Date(since)).catch(() => false);

const isOfRequest = ({ outcome }: Attempt): boolean => subjectOf(outcome) === 'request';

const msBetween = (from: string | undefined, to: Date): number =>
  from === undefined ? 0 : to.getTime() - Date.parse(from);
