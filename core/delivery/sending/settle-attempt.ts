import { canReplay, type Integration, isStopped } from '../../integration/integration.ts';
import { endOf } from '../attempt.ts';
import { afterAttempt } from '../delivery.ts';
import type { ReceivedDelivery } from '../delivery-queue.ts';
import type { PendingStore, StorePending } from '../pending/store-pending.ts';
import { isInARow, latestAttempt } from '../trouble/begin-trouble.ts';
import { buildEndFailureOf, type Troubles } from '../trouble/troubles.ts';
import { type BackoffLimits, backoffAfter, buildTakeSlot, type SlotStore } from './backoff.ts';
import type { DeliveryBatch } from './delivery-batch.ts';
import type { MadeAttempt } from './make-attempt.ts';
import {
  afterRefusal,
  buildJudgeRefusal,
  type RefusalPolicy,
  type RefusalPorts,
} from './refusal.ts';
import { buildStoreWaiting, buildTakeBack } from './store-event.ts';

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
        readonly became?: 'busy' | 'failed';
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
  readonly queued: ReceivedDelivery;
  /** As it was read before the attempt. */
  readonly integration: Integration;
  readonly made: MadeAttempt;
}

export interface SettlingPolicy extends RefusalPolicy {
  backoffLimits: BackoffLimits;
  /** Transient outcomes of different deliveries in a row after which an integration is busy. */
  busyAfter: number;
}

export interface SettlingPorts extends SettlingPolicy, Omit<RefusalPorts, keyof DeliveryBatch> {
  batch: DeliveryBatch;
  troubles: Pick<Troubles, 'begin' | 'end'>;
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
  const takeBack = buildTakeBack(ports);
  const endFailureOf = buildEndFailureOf(ports);
  return async ({ queued, integration, made }: Attempted): Promise<DeliveryResult> => {
    // An earlier receive may have stored the delivery as pending and died.
    if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(queued.delivery, queued);
    await takeBack(queued.delivery, integration);
    const { startedAt } = made.attempt;
    const endedStreak =
      integration.streak !== undefined && (await ports.batch.endStreak(integration, startedAt));
    const endedFailure =
      made.isRepeated === true && (await endFailureOf(queued.delivery, startedAt));
    return { kind: 'delivered', made, endedTrouble: endedStreak || endedFailure };
  };
};

const buildSettleFatal = (ports: SettlingPorts) => {
  const { readLog, confirmedSince } = ports.batch;
  const judge = buildJudgeRefusal({ ...ports, readLog, confirmedSince });
  const storeWaiting = buildStoreWaiting(ports);
  const endFailureOf = buildEndFailureOf(ports);
  return async ({ queued, integration, made }: Attempted): Promise<DeliveryResult> => {
    const { attempt } = made;
    const { delivery } = queued;
    const refused = { delivery, integration, attempt };
    const verdict = await judge(refused);
    switch (verdict.kind) {
      case 'outdated':
        return { kind: 'outdated', made };
      case 'unchanged':
      case 'set-aside':
        if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(delivery, queued);
        return { kind: verdict.kind === 'set-aside' ? 'set-aside' : 'refused-again', made };
      case 'failed': {
        await ports.storePending(afterRefusal(refused), queued);
        // Another message may have been confirmed since the log was read.
        const { deliveredAt } = await readLog(delivery);
        if (deliveredAt && (await endFailureOf(delivery, new Date(deliveredAt)))) {
          return { kind: 'pending', made };
        }
        return { kind: 'pending', became: 'failed', made };
      }
      case 'kept': {
        const isStored = await storeWaiting(verdict.delivery, integration, {
          latest: latestAttempt(attempt),
          messageId: queued.messageId,
          dueAt: verdict.dueAt,
          inTrouble: integration.trouble !== undefined,
        });
        return { kind: isStored ? 'pending' : 'outdated', made };
      }
    }
  };
};

/** An attempt that begins after a streak of this age shows that nothing is confirmed now. */
const SILENT_STREAK_MS = 7_500;

const buildSettleTransient = (ports: SettlingPorts) => {
  const takeSlot = buildTakeSlot(ports);
  const storeWaiting = buildStoreWaiting(ports);
  return async (attempted: Attempted, nextAttemptAt: Date): Promise<DeliveryResult> => {
    const { queued, integration, made } = attempted;
    const { startedAt } = made.attempt;
    const endedAt = endOf(made.attempt);
    const latest = latestAttempt(made.attempt);
    const streak = isFirstOfDelivery(attempted)
      ? await ports.states.extendStreak(integration, { count: 'transients', startedAt, endedAt })
      : integration.streak;
    const wasStopped = isStopped(integration);
    // A stopped integration whose replay went on becomes failed, and its replay ends.
    const kind = wasStopped ? ('failed' as const) : ('busy' as const);
    const began =
      isInARow(streak, { count: 'transients', most: ports.busyAfter, now: endedAt }) &&
      canReplay(integration) &&
      (await ports.troubles.begin(integration, { kind }, { latest, onlyInStreak: true }));
    const became = began && { became: kind };
    const inTrouble = began || wasStopped;
    const confirmsNothing =
      streak !== undefined && startedAt.getTime() - Date.parse(streak.since) >= SILENT_STREAK_MS;
    const limit =
      inTrouble || confirmsNothing ? ports.backoffLimits.probes : ports.backoffLimits.most;
    if (await takeSlot(integration, { limit, now: endedAt, until: nextAttemptAt })) {
      return { kind: 'backing-off', made, nextAttemptAt, ...became };
    }
    const backoff = inTrouble
      ? queued.backoffToStore
      : backoffAfter(queued.delivery, { attempts: 1, hasSlot: false, since: endedAt });
    const isStored = await storeWaiting(afterAttempt(queued.delivery, backoff), integration, {
      latest,
      messageId: queued.messageId,
      dueAt: nextAttemptAt,
      inTrouble: inTrouble || integration.trouble !== undefined,
    });
    return isStored ? { kind: 'pending', made, ...became } : { kind: 'outdated', made };
  };
};

/** Whether the attempt is the delivery's first since the latest success that is known. */
const isFirstOfDelivery = ({ queued: { delivery, receiveCount } }: Attempted): boolean =>
  receiveCount === 1 && delivery.backoff === undefined;
