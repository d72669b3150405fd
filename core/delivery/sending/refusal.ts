import type { Integration } from '../../integration/integration.ts';
import { type Attempt, endOf, isJudgedByEndpoint, isRefusal } from '../attempt.ts';
import { afterAttempt, type Delivery, isReplayed, positionOf } from '../delivery.ts';
import type { DeliveryLog, ReadLog } from '../delivery-log.ts';
import {
  type AttemptStates,
  type BeginTrouble,
  isInARow,
  latestAttempt,
} from '../trouble/begin-trouble.ts';
import { buildSetAside, buildTakeBack, mayBeSetAside, type SetAsidePorts } from './store-event.ts';

export type ConfirmedSince = DeliveryLog['confirmedSince'];

export interface RefusalPorts extends SetAsidePorts {
  states: SetAsidePorts['states'] & Pick<AttemptStates, 'extendStreak'>;
  troubles: { begin: BeginTrouble };
  readLog: ReadLog;
  confirmedSince: ConfirmedSince;
  /** Tolerated refusals of different events in a row after which an integration is failed. */
  failedAfter: number;
}

/** The last attempt of a delivery that the endpoint has not confirmed. */
export interface Refused {
  /** As it was before the attempt. */
  readonly delivery: Delivery;
  /** As it was read before the attempt. */
  readonly integration: Integration;
  readonly attempt: Attempt;
}

/** The delivery after an attempt that failed for good. */
export const afterRefusal = ({ delivery, attempt }: Omit<Refused, 'integration'>): Delivery => ({
  ...afterAttempt(delivery),
  ...(isJudgedByEndpoint(attempt.outcome) && { refusedAt: endOf(attempt).toISOString() }),
});

/**
 * The rule for a fatal outcome, whatever caused the attempt: first what it does to the event, then,
 * if that is neither set aside nor unchanged, what it does to the integration.
 */
export const buildJudgeRefusal = (ports: RefusalPorts) => {
  const setAside = buildSetAside(ports);
  const takeBack = buildTakeBack(ports);
  const tolerate = buildTolerate(ports);
  return {
    /**
     * `unchanged`: the endpoint confirmed the event before, or it is set aside already, and nothing
     * but its log changes. `set-aside`: it is at fault. Undefined: neither.
     */
    event: async (refused: Refused): Promise<'unchanged' | 'set-aside' | undefined> => {
      const { delivery, integration, attempt } = refused;
      const isConfirmed =
        isJudgedByEndpoint(attempt.outcome) &&
        (await ports.readLog(delivery)).logged === 'delivered';
      if (isConfirmed) {
        await takeBack(delivery, integration);
        return 'unchanged';
      }
      const isSetAside =
        mayBeSetAside(delivery, integration) && (await ports.setAsideEvents.has(delivery));
      if (isSetAside) return 'unchanged';
      if (!(await isAtFault(refused, ports))) return undefined;
      await setAside(afterRefusal(refused));
      return 'set-aside';
    },
    /** `outdated`: the integration was changed since the attempt began. */
    integration: async (refused: Refused): Promise<'tolerated' | 'failed' | 'outdated'> => {
      const judged = await tolerate(refused);
      if (judged === 'tolerated') return 'tolerated';
      const latest = latestAttempt(refused.attempt);
      if (judged === 'too-many') {
        const because = { latest, onlyInStreak: true };
        const { integration } = refused;
        const hasFailed = await ports.troubles.begin(integration, { kind: 'failed' }, because);
        return hasFailed ? 'failed' : 'tolerated';
      }
      const confirmedOthers = (await hasConfirmedOthers(refused, ports)) && {
        confirmedOthers: true,
      };
      const trouble = { kind: 'failed', ...confirmedOthers } as const;
      const hasFailed = await ports.troubles.begin(refused.integration, trouble, { latest });
      return hasFailed ? 'failed' : 'outdated';
    },
  };
};

/**
 * Whether the event and not the endpoint is at fault: it was refused before, and a later attempt of
 * another event was confirmed, with the present settings. At the end of its window, an event without
 * an answer is at fault if others are confirmed. A refused address is never an event's fault.
 */
const isAtFault = async (
  refused: Refused,
  ports: Pick<RefusalPorts, 'confirmedSince'>,
): Promise<boolean> => {
  const { outcome } = refused.attempt;
  if (outcome.class === 'transient') return hasConfirmedOthers(refused, ports);
  const { refusedAt } = refused.delivery;
  const { confirmedAt, updatedAt } = refused.integration;
  return (
    isJudgedByEndpoint(outcome) &&
    refusedAt !== undefined &&
    confirmedAt !== undefined &&
    confirmedAt > refusedAt &&
    confirmedAt >= updatedAt
  );
};

const HOUR_MS = 3_600_000;

/**
 * Whether the endpoint confirmed another event within the hour before; with the present settings, if
 * it has now answered with an error. The integration shows successes that ended a streak or a
 * trouble, the log the others: the latest, and those that a replay sent just before. An error of
 * the log counts as no success.
 */
const hasConfirmedOthers = async (
  { delivery, integration, attempt: { startedAt, outcome } }: Refused,
  { confirmedSince }: Pick<RefusalPorts, 'confirmedSince'>,
): Promise<boolean> => {
  if (!isJudgedByEndpoint(outcome)) return false;
  const { confirmedAt, updatedAt } = integration;
  const hourBefore = new Date(startedAt.getTime() - HOUR_MS).toISOString();
  const isRecent = outcome.class === 'transient' || updatedAt < hourBefore;
  const since = isRecent ? hourBefore : updatedAt;
  if (confirmedAt !== undefined && confirmedAt >= since) return true;
  const isConfirmed = (before?: string) =>
    confirmedSince(integration.id, new Date(since), before).catch(() => false);
  return (await isConfirmed()) || (isReplayed(delivery) && isConfirmed(positionOf(delivery)));
};

/**
 * Tolerates the refusal of one event if the customer chose `continue`, or if it was replayed and
 * the endpoint confirms others; `too-many` after too many different events in a row. Counts each
 * event once in a streak.
 */
const buildTolerate =
  (ports: Pick<RefusalPorts, 'states' | 'confirmedSince' | 'failedAfter'>) =>
  async (refused: Refused): Promise<'tolerated' | 'too-many' | 'not-tolerated'> => {
    const { delivery, integration, attempt } = refused;
    const { outcome, startedAt } = attempt;
    if (!isRefusal(outcome)) return 'not-tolerated';
    const mayContinue =
      integration.settings.onFatalError === 'continue' ||
      (isReplayed(delivery) && (await hasConfirmedOthers(refused, ports)));
    if (!mayContinue) return 'not-tolerated';
    if (isCounted(delivery, integration)) return 'tolerated';
    const now = endOf(attempt);
    const outcomeInStreak = { count: 'refusals', startedAt, endedAt: now } as const;
    const streak = await ports.states.extendStreak(integration, outcomeInStreak);
    const isTooMany = isInARow(streak, { count: 'refusals', most: ports.failedAfter, now });
    return isTooMany ? 'too-many' : 'tolerated';
  };

/** An event that was refused since the streak began is counted in it. */
const isCounted = ({ refusedAt }: Delivery, { streak }: Integration): boolean =>
  refusedAt !== undefined && streak !== undefined && refusedAt >= streak.since;
