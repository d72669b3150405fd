import { endOf } from '../attempt.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import type { PendingEvents, StorePending } from '../pending/pending-events.ts';
import type { SetAsideEvents } from '../pending/set-aside-events.ts';
import type { StoreWaiting } from '../trouble/store-waiting.ts';
import { latestAttempt, type TroubleStates, type Troubles } from '../trouble/troubles.ts';
import { attempted, backingOffSince, type Consequence, type Settled } from './consequence.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { buildTolerateRefusal, type ConfirmedSince, hasConfirmedOthers } from './refusals.ts';
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
