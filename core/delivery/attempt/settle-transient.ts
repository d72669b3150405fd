import { canReplay, isStopped } from '../../integration/integration.ts';
import { endOf } from '../attempt.ts';
import type { Delivery } from '../delivery.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import type { StoreWaiting } from '../trouble/store-waiting.ts';
import { latestAttempt, type TroubleStates, type Troubles } from '../trouble/troubles.ts';
import { attempted, backingOffSince, type Consequence, type Settled } from './consequence.ts';
import type { BackoffLimits, TakeSlot } from './slots.ts';
import { isInARow } from './streaks.ts';

export interface SettleTransientPorts {
  storeWaiting: StoreWaiting;
  takeSlot: TakeSlot;
  troubles: Pick<Troubles, 'begin'>;
  states: Pick<TroubleStates, 'extendStreak'>;
  /** Transient outcomes of different deliveries in a row after which an integration is busy. */
  busyAfter: number;
  backoffLimits: BackoffLimits;
}

/**
 * Half of the first backoff. If a streak was this old when an attempt began, the endpoint confirms
 * nothing at present.
 */
const DRY_STREAK_MS = 7_500;

/** Does what follows from an attempt that another is to follow: see `Consequence`. */
export const buildSettleTransient =
  (ports: SettleTransientPorts) =>
  async (settled: Settled, nextAttemptAt: Date): Promise<Consequence> => {
    const { queued, integration, made } = settled;
    const { attempt } = made;
    const { startedAt } = attempt;
    const endedAt = endOf(attempt);
    const streak = isOfAnotherDelivery(queued)
      ? await ports.states.extendStreak(integration, { count: 'transients', startedAt, endedAt })
      : integration.streak;
    const wasStopped = isStopped(integration);
    // A failed integration whose replay went on is failed without one.
    const kind = wasStopped ? ('failed' as const) : ('busy' as const);
    const began =
      isInARow(streak, { count: 'transients', most: ports.busyAfter, now: endedAt }) &&
      canReplay(integration) &&
      (await ports.troubles.begin(
        integration,
        { kind },
        { latest: latestAttempt(attempt), onlyInStreak: true },
      ));
    const became = began && { became: kind };
    const inTrouble = began || wasStopped;
    const { most, probes } = ports.backoffLimits;
    const isDry = streak !== undefined && msBetween(streak.since, startedAt) >= DRY_STREAK_MS;
    const limit = inTrouble || isDry ? probes : most;
    if (await ports.takeSlot(integration, { limit, now: endedAt, until: nextAttemptAt })) {
      return { kind: 'backing-off', made, nextAttemptAt, ...became };
    }
    // The time in which a busy integration attempts nothing is no part of a delivery's window.
    const stored = inTrouble ? attempted(queued) : waiting(queued);
    const isStored = await ports.storeWaiting(stored, integration, {
      latest: latestAttempt(attempt),
      messageId: queued.messageId,
      dueAt: nextAttemptAt,
      inTrouble: inTrouble || integration.trouble !== undefined,
    });
    return isStored ? { kind: 'pending', made, ...became } : { kind: 'outdated', made };
  };

/** Whether the attempt is the delivery's first since the latest success that is known. */
const isOfAnotherDelivery = ({ delivery, receiveCount }: QueuedDelivery): boolean =>
  receiveCount === 1 && delivery.trigger !== 'backoff' && !delivery.backsOff;

const msBetween = (from: string, to: Date): number => to.getTime() - Date.parse(from);

/** The delivery as it goes on backing off when it is no longer pending. */
const waiting = (queued: QueuedDelivery): Delivery => ({
  ...attempted(queued),
  backingOffSince: backingOffSince(queued),
});
