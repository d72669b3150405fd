import { type Integration, onFatalErrorOf } from '../../integration/integration.ts';
import { type Attempt, endOf, type Outcome } from '../attempt.ts';
import type { Delivery } from '../delivery.ts';
import type { TroubleStates } from '../trouble/troubles.ts';
import { isInARow } from './streaks.ts';

/** Whether the delivery log shows that the integration's endpoint confirmed an event since. */
export type ConfirmedSince = (integration: Integration, since: Date) => Promise<boolean>;

const HOUR_MS = 3_600_000;

/**
 * Whether the endpoint, which has refused an event, has confirmed another within the hour before
 * the attempt, and since the settings changed. Successes are known of a streak and of a trouble; of
 * others the log tells. A log that cannot be read tells nothing.
 */
export const hasConfirmedOthers = async (
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

/**
 * - `tolerated`: the event is kept, and the integration stays as it is.
 * - `too-many`: it would be, but too many different events were refused in a row.
 * - `not-tolerated`: the refusal fails the integration.
 */
export type Verdict = 'tolerated' | 'too-many' | 'not-tolerated';

interface Refusal {
  readonly attempt: Attempt;
  readonly confirmsOthers: () => Promise<boolean>;
}

/**
 * Judges a fatal outcome. An endpoint's answer to one event is tolerated if the customer chose
 * `continue`, and if the event was replayed and the endpoint confirms others. Counts a refusal that
 * is tolerated, once for each event of a streak.
 */
export const buildTolerateRefusal =
  (ports: { states: Pick<TroubleStates, 'extendStreak'>; failedAfter: number }) =>
  async (
    delivery: Delivery,
    integration: Integration,
    { attempt, confirmsOthers }: Refusal,
  ): Promise<Verdict> => {
    const { outcome, startedAt } = attempt;
    if (!isRefusal(outcome)) return 'not-tolerated';
    const mayContinue =
      onFatalErrorOf(integration) === 'continue' ||
      (isReplayed(delivery) && (await confirmsOthers()));
    if (!mayContinue) return 'not-tolerated';
    if (isCounted(delivery, integration)) return 'tolerated';
    const endedAt = endOf(attempt);
    const streak = await ports.states.extendStreak(integration, {
      count: 'refusals',
      startedAt,
      endedAt,
    });
    const isTooMany = isInARow(streak, {
      count: 'refusals',
      most: ports.failedAfter,
      now: endedAt,
    });
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
