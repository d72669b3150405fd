import { type Integration, isStopped } from '../../integration/integration.ts';
import { endOf } from '../attempt.ts';
import { afterAttempt } from '../delivery.ts';
import type { ReceivedDelivery } from '../delivery-queue.ts';
import type { PendingStore, StorePending } from '../pending/store-pending.ts';
import { isInARow, latestAttempt } from '../trouble/begin-trouble.ts';
import type { Troubles } from '../trouble/troubles.ts';
import { type BackoffLimits, backoffAfter, buildTakeSlot, type SlotStore } from './backoff.ts';
import { buildConfirmed } from './confirmation.ts';
import type { DeliveryBatch } from './delivery-batch.ts';
import { afterTolerated } from './event-window.ts';
import { buildJudgeAttempt, type JudgingPolicy, type JudgingPorts } from './judge-attempt.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { buildStoreWaiting } from './store-event.ts';

/**
 * The result of a message of the deliveries queue. The message may be deleted, unless noted:
 * - `refused-again`: a delivery that was confirmed before or is set aside was refused, as by a
 *   duplicate or a resend. Nothing changes.
 * - `backing-off`: the message is to become visible at `nextAttemptAt`.
 * - `outdated`: the integration was changed meanwhile. The message is to become visible at once.
 * - `moved`: a new message is in the slow lane.
 *
 * `became`: the attempt found or made the integration busy or failed.
 */
export type DeliveryResult = Faults &
  (
    | { readonly kind: 'dropped'; readonly because: 'deleted' | 'delivered-before' }
    | { readonly kind: 'pending'; readonly became?: 'busy' | 'failed'; readonly made?: MadeAttempt }
    | { readonly kind: 'set-aside' | 'refused-again'; readonly made: MadeAttempt }
    | { readonly kind: 'delivered'; readonly made: MadeAttempt; readonly endedTrouble: boolean }
    | {
        readonly kind: 'backing-off';
        readonly made: MadeAttempt;
        readonly nextAttemptAt: Date;
        readonly became?: 'busy';
      }
    | { readonly kind: 'outdated'; readonly made?: MadeAttempt }
    | { readonly kind: 'moved' }
  );

/** Faults of reading the log and of listing in it, which no result depends on. */
interface Faults {
  readonly logFault?: unknown;
  readonly listingFault?: unknown;
}

/** An attempt of a queued delivery, before anything followed from it. */
interface Attempted {
  readonly received: ReceivedDelivery;
  /** As it was read before the attempt. */
  readonly integration: Integration;
  readonly made: MadeAttempt;
}

export interface SettlingPolicy extends JudgingPolicy {
  backoffLimits: BackoffLimits;
  /** Transient outcomes of different deliveries in a row after which an integration is busy. */
  busyAfter: number;
}

export interface SettlingPorts extends SettlingPolicy, Omit<JudgingPorts, keyof DeliveryBatch> {
  batch: DeliveryBatch;
  troubles: Pick<Troubles, 'begin' | 'recover'>;
  storePending: StorePending;
  pendingEvents: PendingStore;
  slots: SlotStore;
  /** Uniform in [0, 1). */
  random: () => number;
}

/** Does what follows from an attempt. If the process dies, the message is received again. */
export const buildSettleAttempt = (ports: SettlingPorts) => {
  const settleSuccess = buildSettleSuccess(ports);
  const settleFatal = buildSettleFatal(ports);
  const settleTransient = buildSettleTransient(ports);
  return async (attempted: Attempted): Promise<DeliveryResult> => {
    const { outcome, nextAttemptAt } = attempted.made.attempt;
    if (outcome.class === 'delivered') return settleSuccess(attempted);
    return nextAttemptAt === undefined
      ? settleFatal(attempted)
      : settleTransient(attempted, nextAttemptAt);
  };
};

const buildSettleSuccess = (ports: SettlingPorts) => {
  const confirmed = buildConfirmed(ports);
  return async ({ received, integration, made }: Attempted): Promise<DeliveryResult> => {
    const { delivery } = received;
    const { startedAt } = made.attempt;
    const confirmedAt = made.isRepeated ? startedAt : undefined;
    const endedFailure = await confirmed({ delivery, integration, message: received, confirmedAt });
    const endedStreak =
      integration.streak !== undefined && (await ports.batch.endStreak(integration, startedAt));
    return { kind: 'delivered', made, endedTrouble: endedStreak || endedFailure };
  };
};

const buildSettleFatal = (ports: SettlingPorts) => {
  const { readLog, confirmedSince } = ports.batch;
  const judgeAttempt = buildJudgeAttempt({ ...ports, readLog, confirmedSince });
  const confirmed = buildConfirmed(ports);
  const settleFailed = buildSettleFailed(ports);
  const storeWaiting = buildStoreWaiting(ports);
  return async (attempted: Attempted): Promise<DeliveryResult> => {
    const { received, integration, made } = attempted;
    const { attempt } = made;
    const { delivery } = received;
    const unconfirmed = { delivery, integration, attempt };
    const { verdict, isDelivered } = await judgeAttempt(unconfirmed);
    switch (verdict) {
      case 'outdated':
        return { kind: 'outdated', made };
      case 'unchanged':
      case 'set-aside':
        if (isDelivered) await confirmed({ delivery, integration, message: received });
        else if (received.receiveCount > 1) await ports.pendingEvents.removeOf(delivery, received);
        return { kind: verdict === 'set-aside' ? 'set-aside' : 'refused-again', made };
      case 'failed':
        return settleFailed(attempted);
      case 'waits': {
        const waiting = afterTolerated(unconfirmed, ports);
        const isStored = await storeWaiting(waiting.delivery, integration, {
          latest: latestAttempt(attempt),
          messageId: received.messageId,
          dueAt: waiting.dueAt,
          inTrouble: integration.trouble !== undefined,
        });
        return { kind: isStored ? 'pending' : 'outdated', made };
      }
    }
  };
};

const buildSettleFailed = (ports: SettlingPorts) => {
  const confirmed = buildConfirmed(ports);
  return async ({ received, integration, made }: Attempted): Promise<DeliveryResult> => {
    const { delivery } = received;
    await ports.storePending(afterAttempt(delivery), received);
    // Another message may have been confirmed since the log was read.
    const { deliveredAt } = await ports.batch.readLog(delivery);
    const confirmedAt = deliveredAt === undefined ? undefined : new Date(deliveredAt);
    const isOver = confirmedAt && (await confirmed({ delivery, integration, confirmedAt }));
    return isOver ? { kind: 'pending', made } : { kind: 'pending', became: 'failed', made };
  };
};

/** An attempt that begins after a streak of this age shows that nothing is confirmed now. */
const SILENT_STREAK_MS = 7_500;

const buildSettleTransient = (ports: SettlingPorts) => {
  const takeSlot = buildTakeSlot(ports);
  const storeWaiting = buildStoreWaiting(ports);
  return async (attempted: Attempted, nextAttemptAt: Date): Promise<DeliveryResult> => {
    const { received, integration, made } = attempted;
    const { startedAt } = made.attempt;
    const endedAt = endOf(made.attempt);
    const latest = latestAttempt(made.attempt);
    const streak = isFirstOfDelivery(attempted)
      ? await ports.states.extendStreak(integration, { count: 'transients', startedAt, endedAt })
      : integration.streak;
    const wasStopped = isStopped(integration);
    const began =
      !wasStopped &&
      isInARow(streak, { count: 'transients', most: ports.busyAfter, now: endedAt }) &&
      (await ports.troubles.begin(integration, { kind: 'busy' }, { latest, onlyInStreak: true }));
    const became = began && { became: 'busy' as const };
    const inTrouble = began || wasStopped;
    const confirmsNothing =
      streak !== undefined && startedAt.getTime() - Date.parse(streak.since) >= SILENT_STREAK_MS;
    const limit =
      inTrouble || confirmsNothing ? ports.backoffLimits.probes : ports.backoffLimits.most;
    if (await takeSlot(integration, { limit, now: endedAt, until: nextAttemptAt })) {
      return { kind: 'backing-off', made, nextAttemptAt, ...became };
    }
    const backoff = backoffAfter(received.delivery, {
      attempts: 1,
      hasSlot: false,
      since: endedAt,
    });
    const isStored = await storeWaiting(afterAttempt(received.delivery, backoff), integration, {
      latest,
      messageId: received.messageId,
      dueAt: nextAttemptAt,
      inTrouble: inTrouble || integration.trouble !== undefined,
    });
    return isStored ? { kind: 'pending', made, ...became } : { kind: 'outdated', made };
  };
};

/** Whether the attempt is the delivery's first since the latest success that is known. */
const isFirstOfDelivery = ({ received: { delivery, receiveCount } }: Attempted): boolean =>
  receiveCount === 1 && delivery.backoff === undefined;
