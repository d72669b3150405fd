import { type Integration, onFatalErrorOf } from '../../integration/integration.ts';
import { type Attempt, endOf, isJudgedByEndpoint, type Outcome } from '../attempt.ts';
import { type Delivery, isReplayed } from '../delivery.ts';
import { type AttemptStates, isInARow, latestAttempt } from '../trouble/begin-trouble.ts';
import type { Consequence, Settled, SettlingPorts } from './consequence.ts';
import { afterRefusal, buildJudgeFatal, buildStoreWaiting, isAtFault } from './keep-event.ts';
import type { ReadLog } from './read-log.ts';

export const buildSettleFatal = (ports: SettlingPorts) => {
  const judgeFatal = buildJudgeFatal(ports);
  const storeWaiting = buildStoreWaiting(ports);
  const tolerateRefusal = buildTolerateRefusal(ports);
  return async (
    { queued, integration, made }: Settled,
    { confirmedSince, readLog }: { confirmedSince: ConfirmedSince; readLog: ReadLog },
  ): Promise<Consequence> => {
    const { delivery } = queued;
    const { attempt } = made;
    const refused = afterRefusal(delivery, attempt);
    const confirmsOthers = () => hasConfirmedOthers(integration, attempt, confirmedSince);
    const fate = await judgeFatal({ delivery, refused, attempt }, integration, {
      // At the end of its window, an event without an answer is at fault if others are confirmed.
      isAtFault: async () =>
        attempt.outcome.class === 'transient'
          ? confirmsOthers()
          : isAtFault(integration, attempt, delivery.refusedAt),
      readLog,
    });
    if (fate) {
      if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(delivery, queued);
      return { kind: fate === 'set-aside' ? 'set-aside' : 'refused-again', made };
    }
    const verdict = await tolerateRefusal(delivery, integration, { attempt, confirmsOthers });
    const latest = latestAttempt(attempt);
    const fail = async () =>
      verdict === 'too-many'
        ? ports.troubles.begin(integration, { kind: 'failed' }, { latest, onlyInStreak: true })
        : ports.troubles.begin(
            integration,
            { kind: 'failed', ...((await confirmsOthers()) && { confirmedOthers: true }) },
            { latest },
          );
    if (verdict !== 'tolerated' && (await fail())) {
      await ports.storePending(refused, queued);
      return { kind: 'pending', became: 'failed', made };
    }
    if (verdict === 'not-tolerated') return { kind: 'outdated', made };
    const isStored = await storeWaiting(refused, integration, {
      latest,
      messageId: queued.messageId,
      dueAt: new Date(endOf(attempt).getTime() + ports.retryIntervalMs),
      inTrouble: integration.trouble !== undefined,
    });
    return { kind: isStored ? 'pending' : 'outdated', made };
  };
};

/** `integration` is the bare id. */
export type ConfirmedSince = (integration: string, since: Date) => Promise<boolean>;

const HOUR_MS = 3_600_000;

/**
 * Whether the endpoint confirmed another event within the hour before; with the present settings, if
 * it has now answered with an error. The integration shows successes that ended a streak or a
 * trouble, the log the others. An error of the log counts as no success.
 */
const hasConfirmedOthers = async (
  { confirmedAt, updatedAt, ...integration }: Integration,
  { startedAt, outcome }: Attempt,
  confirmedSince: ConfirmedSince,
): Promise<boolean> => {
  if (!isJudgedByEndpoint(outcome)) return false;
  const hourBefore = new Date(startedAt.getTime() - HOUR_MS).toISOString();
  const isRecent = outcome.class === 'transient' || updatedAt < hourBefore;
  const since = isRecent ? hourBefore : updatedAt;
  if (confirmedAt !== undefined && confirmedAt >= since) return true;
  return confirmedSince(integration.id, new Date(since)).catch(() => false);
};

type Verdict = 'tolerated' | 'too-many' | 'not-tolerated';

/**
 * Tolerates the refusal of one event if the customer chose `continue`, or if it was replayed and
 * the endpoint confirms others; `too-many` after too many different events in a row. Counts each
 * event once in a streak.
 */
export const buildTolerateRefusal =
  (ports: { states: Pick<AttemptStates, 'extendStreak'>; failedAfter: number }) =>
  async (
    delivery: Delivery,
    integration: Integration,
    { attempt, confirmsOthers }: { attempt: Attempt; confirmsOthers: () => Promise<boolean> },
  ): Promise<Verdict> => {
    const { outcome, startedAt } = attempt;
    if (!isRefusal(outcome)) return 'not-tolerated';
    const mayContinue =
      onFatalErrorOf(integration) === 'continue' ||
      (isReplayed(delivery) && (await confirmsOthers()));
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

const isRefusal = ({ class: outcome, result }: Outcome): boolean =>
  outcome === 'fatal' && result.kind === 'answered';
