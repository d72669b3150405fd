import { type Integration, onFatalErrorOf } from '../../integration/integration.ts';
import { type Attempt, endOf, type Outcome } from '../attempt.ts';
import type { Delivery } from '../delivery.ts';
import { type AttemptStates, isInARow, latestAttempt } from '../trouble/begin-trouble.ts';
import {
  attempted,
  backingOffSince,
  type Consequence,
  type Settled,
  type SettlingPorts,
} from './consequence.ts';
import {
  afterRefusal,
  buildSetAside,
  buildStoreWaiting,
  isAtFault,
  mayBeSetAside,
} from './keep-event.ts';

export const buildSettleFatal = (ports: SettlingPorts) => {
  const setAside = buildSetAside(ports);
  const storeWaiting = buildStoreWaiting(ports);
  const tolerateRefusal = buildTolerateRefusal(ports);
  return async (
    { queued, integration, made }: Settled,
    { confirmedSince }: { confirmedSince: ConfirmedSince },
  ): Promise<Consequence> => {
    const { delivery } = queued;
    const { attempt } = made;
    const refused = afterRefusal(attempted(queued), attempt);
    const isSetAside =
      mayBeSetAside(delivery, integration) && (await ports.setAsideEvents.has(delivery));
    const failingSince =
      attempt.outcome.class === 'fatal' ? delivery.refusedAt : backingOffSince(queued);
    if (isSetAside || isAtFault(integration, attempt, failingSince)) {
      if (!isSetAside) await setAside(refused);
      if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(delivery, queued);
      return { kind: isSetAside ? 'refused-again' : 'set-aside', made };
    }
    const confirmsOthers = () => hasConfirmedOthers(integration, attempt, confirmedSince);
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

export type ConfirmedSince = (integration: Integration, since: Date) => Promise<boolean>;

const HOUR_MS = 3_600_000;

/**
 * Whether the endpoint confirmed another event within the hour before, with the present settings.
 * The integration shows successes that ended a streak or a trouble, the log the others. An error of
 * the log counts as no success.
 */
const hasConfirmedOthers = async (
  integration: Integration,
  { startedAt, outcome }: Attempt,
  confirmedSince: ConfirmedSince,
): Promise<boolean> => {
  if (!isRefusal(outcome)) return false;
  const { confirmedAt, updatedAt } = integration;
  const sinceMs = Math.max(startedAt.getTime() - HOUR_MS, Date.parse(updatedAt));
  if (confirmedAt !== undefined && Date.parse(confirmedAt) >= sinceMs) return true;
  return confirmedSince(integration, new Date(sinceMs)).catch(() => false);
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

/** A `backoff` delivery was replayed, unless it was moved to the slow lane while it backed off. */
export const isReplayed = ({ trigger, backsOff = false }: Delivery): boolean =>
  trigger === 'replay' || (trigger === 'backoff' && !backsOff);
