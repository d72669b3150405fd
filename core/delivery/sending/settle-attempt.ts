import { canReplay, type Integration, isStopped } from '../../integration/integration.ts';
import { endOf } from '../attempt.ts';
import type { Delivery } from '../delivery.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { ReplayRequests } from '../pending/replay-requests.ts';
import type { StoreWaiting } from '../trouble/store-waiting.ts';
import { isInARow, latestAttempt, type TroubleStates, type Troubles } from '../trouble/troubles.ts';
import type { BackoffLimits, TakeSlot } from './backoff.ts';
import { attempted, backingOffSince, type Consequence, type Settled } from './consequence.ts';
import type { TakeBack } from './set-aside.ts';
import { buildSettleFatal, type ConfirmedSince, type SettleFatalPorts } from './settle-fatal.ts';

export interface SettleAttemptPorts extends SettleFatalPorts, SettleTransientPorts {
  takeBack: TakeBack;
  states: Pick<TroubleStates, 'extendStreak' | 'confirm'>;
  pendingEvents: Pick<PendingEvents, 'removeOf'>;
  replays: ReplayRequests;
}

export type SettleAttempt = (
  settled: Settled,
  batch: { confirmedSince: ConfirmedSince },
) => Promise<Consequence>;

/**
 * Does what follows from an attempt, by its outcome. After a process that dies at any step, the
 * message can be received again.
 */
export const buildSettleAttempt = (ports: SettleAttemptPorts): SettleAttempt => {
  const endStreak = buildEndStreak(ports);
  /** Resolves to whether the success ended a trouble that stopped deliveries. */
  const afterSuccess = async ({ queued, integration, made }: Settled): Promise<boolean> => {
    // An earlier receive may have stored the delivery as pending and died before it deleted the
    // message.
    if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(queued.delivery, queued);
    await ports.takeBack(queued.delivery, integration);
    const { startedAt } = made.attempt;
    const { streak } = integration;
    if (streak === undefined || startedAt < new Date(streak.since)) return false;
    return endStreak(integration, startedAt);
  };

  const settleFatal = buildSettleFatal(ports);
  const settleTransient = buildSettleTransient(ports);
  return async (settled, batch) => {
    const { made } = settled;
    const { outcome, nextAttemptAt } = made.attempt;
    if (outcome.class === 'delivered') {
      return { kind: 'delivered', made, endedTrouble: await afterSuccess(settled) };
    }
    return nextAttemptAt === undefined
      ? settleFatal(settled, batch)
      : settleTransient(settled, nextAttemptAt);
  };
};

/**
 * Ends the streak of an integration because of a success. The successes of a batch share one reading
 * of the integration: the first of them ends the streak for all. Resolves to whether this success
 * ended the busy state.
 */
const buildEndStreak = ({ states, replays }: Pick<SettleAttemptPorts, 'states' | 'replays'>) => {
  const endings = new WeakMap<Integration, Promise<boolean>>();
  const end = async (integration: Integration, confirmedAt: Date): Promise<boolean> => {
    const wasBusy = await states.confirm(integration, confirmedAt);
    if (wasBusy) await replays.request(integration, { onlyDue: true });
    return wasBusy;
  };
  return async (integration: Integration, confirmedAt: Date): Promise<boolean> => {
    const begun = endings.get(integration);
    if (begun !== undefined) {
      await begun;
      return false;
    }
    const ending = end(integration, confirmedAt);
    endings.set(integration, ending);
    return ending;
  };
};

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
