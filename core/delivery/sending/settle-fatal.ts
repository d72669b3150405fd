import { type Integration, onFatalErrorOf } from '../../integration/integration.ts';
import { type Attempt, endOf, type Outcome } from '../attempt.ts';
import type { Delivery } from '../delivery.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import type { PendingEvents, SetAsideEvents, StorePending } from '../pending/pending-events.ts';
import type { StoreWaiting } from '../trouble/store-waiting.ts';
import { isInARow, latestAttempt, type TroubleStates, type Troubles } from '../trouble/troubles.ts';
import { attempted, backingOffSince, type Consequence, type Settled } from './consequence.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { afterRefusal, isAtFault, mayBeSetAside, type SetAside } from './set-aside.ts';

export interface SettleFatalPorts {
  storePending: StorePending;
  storeWaiting: StoreWaiting;
  setAside: SetAside;
  troubles: Pick<Troubles, 'begin'>;
  states: Pick<TroubleStates, 'extendStreak'>;
  pendingEvents: Pick<PendingEvents, 'removeOf'>;
  setAsideEvents: Pick<SetAsideEvents, 'has'>;
  /**
   * Refusals in a row, of events whose refusal is tolerated, after which an integration is failed.
   */
  failedAfter: number;
  retryIntervalMs: number;
}

/** Does what follows from an attempt that is the last of its backoff: see `Consequence`. */
export const buildSettleFatal = (ports: SettleFatalPorts) => {
  const tolerateRefusal = buildTolerateRefusal(ports);
  return async (
    settled: Settled,
    { confirmedSince }: { confirmedSince: ConfirmedSince },
  ): Promise<Consequence> => {
    const { queued, integration, made } = settled;
    const { delivery } = queued;
    const { attempt } = made;
    const refused = afterRefusal(attempted(queued), attempt);
    const isSetAside =
      mayBeSetAside(delivery, integration) && (await ports.setAsideEvents.has(delivery));
    if (isSetAside || isAtFault(integration, attempt, failingSince(queued, attempt))) {
      if (!isSetAside) await ports.setAside(refused);
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
    const isStored = await ports.storeWaiting(refused, integration, {
      latest,
      messageId: queued.messageId,
      dueAt: new Date(endOf(attempt).getTime() + ports.retryIntervalMs),
      inTrouble: integration.trouble !== undefined,
    });
    return { kind: isStored ? 'pending' : 'outdated', made };
  };
};

/** Since when the event of an attempt that failed for good has been failing, as far as known. */
const failingSince = (
  queued: QueuedDelivery,
  { outcome }: MadeAttempt['attempt'],
): string | undefined =>
  outcome.class === 'fatal' ? queued.delivery.refusedAt : backingOffSince(queued);

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
