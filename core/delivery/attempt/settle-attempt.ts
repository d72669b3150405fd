import type { Integration, IntegrationStore } from '../../integration/integration.ts';
import { type Attempt, endOf } from '../attempt.ts';
import { type Delivery, withAttempts } from '../delivery.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import type { PendingEvents, StorePending } from '../pending/pending-events.ts';
import type { StoreWaiting } from '../trouble/store-waiting.ts';
import type { TransientRow, TroubleStates, Troubles } from '../trouble/troubles.ts';
import type { MadeAttempt } from './make-attempt.ts';
import { afterRefusal, isAtFault, type SetAside, type TakeBack } from './set-aside.ts';
import type { BackoffLimits, TakeSlot } from './slots.ts';

/**
 * What became of a queued delivery, and of its message:
 * - `dropped`, `pending`, `set-aside`, `delivered`: the effect is durable, the message may be
 *   deleted.
 * - `backing-off`: the message comes back at `nextAttemptAt`.
 * - `outdated`: the attempt failed, but the integration was changed meanwhile; the message comes
 *   back at once.
 *
 * `became`: the attempt found or made the integration busy or failed.
 */
export type Consequence =
  | { readonly kind: 'dropped'; readonly because: 'deleted' | 'delivered-before' }
  | { readonly kind: 'pending'; readonly became?: 'busy' | 'failed'; readonly made?: MadeAttempt }
  | { readonly kind: 'set-aside'; readonly made: MadeAttempt }
  | { readonly kind: 'delivered'; readonly made: MadeAttempt; readonly endedTrouble: boolean }
  | {
      readonly kind: 'backing-off';
      readonly made: MadeAttempt;
      readonly nextAttemptAt: Date;
      readonly became?: 'busy';
    }
  | { readonly kind: 'outdated'; readonly made: MadeAttempt };

export interface SettleAttemptPorts {
  integrations: IntegrationStore;
  storePending: StorePending;
  storeWaiting: StoreWaiting;
  takeSlot: TakeSlot;
  setAside: SetAside;
  takeBack: TakeBack;
  troubles: Troubles;
  states: Pick<TroubleStates, 'countTransient' | 'confirm'>;
  pendingEvents: Pick<PendingEvents, 'removeOf'>;
  /** Different deliveries with a transient outcome in a row after which an integration is busy. */
  busyAfter: number;
  backoffLimits: BackoffLimits;
}

/** An attempt that took longer may have read its integration before the integration was busy. */
const LONG_ATTEMPT_MS = 1_000;

/** A row of transient outcomes that was as old when an attempt began: nothing is confirmed now. */
const DRY_ROW_MS = 7_500;

/**
 * Does what follows from an attempt, by its outcome. After a process that dies at any step, the
 * message can be received again.
 */
export const buildSettleAttempt = (ports: SettleAttemptPorts) => {
  /** Resolves to whether the success ended a trouble. */
  const afterSuccess = async (
    queued: QueuedDelivery,
    integration: Integration,
    { attempt }: MadeAttempt,
  ): Promise<boolean> => {
    // An earlier receive may have stored the delivery as pending and died before it deleted the
    // message.
    if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(queued.delivery, queued);
    await ports.takeBack(queued.delivery);
    const confirmedAt = attempt.startedAt;
    const latest =
      attempt.durationMs < LONG_ATTEMPT_MS ? integration : await readAgain(integration);
    if (latest === undefined) return false;
    const isBusy =
      latest.trouble?.kind === 'busy' ||
      (latest.transients > 0 && (await ports.states.confirm(latest, confirmedAt)));
    return isBusy && ports.troubles.end(latest, { confirmedAt });
  };

  /** The integration as it is now; undefined if the epoch of the attempt is over. */
  const readAgain = async ({
    account,
    id,
    epoch,
  }: Integration): Promise<Integration | undefined> => {
    const now = await ports.integrations.find(account, id);
    return now?.epoch === epoch ? now : undefined;
  };

  const afterFatal = async (
    queued: QueuedDelivery,
    integration: Integration,
    made: MadeAttempt,
  ): Promise<Consequence> => {
    const { attempt } = made;
    const refused = afterRefusal(attempted(queued), attempt);
    if (isAtFault(integration, attempt, failingSince(queued, attempt))) {
      await ports.setAside(refused);
      if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(queued.delivery, queued);
      return { kind: 'set-aside', made };
    }
    const failed = await ports.troubles.begin(integration, 'failed', attempt);
    if (!failed) return { kind: 'outdated', made };
    await ports.storePending(refused, queued);
    return { kind: 'pending', became: 'failed', made };
  };

  const afterTransient = async (
    queued: QueuedDelivery,
    integration: Integration,
    { made, nextAttemptAt }: { made: MadeAttempt; nextAttemptAt: Date },
  ): Promise<Consequence> => {
    const { startedAt } = made.attempt;
    const endedAt = endOf(made.attempt);
    const row = isOfAnotherDelivery(queued)
      ? await ports.states.countTransient(integration, { startedAt, endedAt })
      : integration;
    const isRow = row !== undefined && row.transients >= ports.busyAfter;
    // If the integration was in trouble when it was read, it has its schedule already.
    const began =
      isRow &&
      !integration.trouble &&
      (await ports.troubles.begin(integration, 'busy', made.attempt));
    const became = began && { became: 'busy' as const };
    const inTrouble = began || integration.trouble !== undefined;
    const { most, probes } = ports.backoffLimits;
    const limit = inTrouble || isDry(row, startedAt) ? probes : most;
    const slot = await ports.takeSlot(integration, {
      kind: 'backoff',
      limit,
      now: endedAt,
      until: nextAttemptAt,
    });
    if (slot !== undefined) return { kind: 'backing-off', made, nextAttemptAt, ...became };
    if (inTrouble) await ports.storePending(attempted(queued), queued);
    else await ports.storeWaiting(waiting(queued), integration, queued);
    return { kind: 'pending', made, ...became };
  };

  return async (
    queued: QueuedDelivery,
    integration: Integration,
    made: MadeAttempt,
  ): Promise<Consequence> => {
    const { outcome, nextAttemptAt } = made.attempt;
    if (outcome.class === 'delivered') {
      const endedTrouble = await afterSuccess(queued, integration, made);
      return { kind: 'delivered', made, endedTrouble };
    }
    return nextAttemptAt === undefined
      ? afterFatal(queued, integration, made)
      : afterTransient(queued, integration, { made, nextAttemptAt });
  };
};

/** Whether the attempt is the delivery's first since the latest success that is known. */
const isOfAnotherDelivery = ({ delivery, receiveCount }: QueuedDelivery): boolean =>
  receiveCount === 1 && delivery.trigger !== 'backoff';

/** Whether nothing was confirmed for a while before an attempt began. */
const isDry = (row: TransientRow | undefined, startedAt: Date): boolean =>
  row?.transientsSince !== undefined &&
  startedAt.getTime() - Date.parse(row.transientsSince) >= DRY_ROW_MS;

const attempted = ({ delivery, receiveCount }: QueuedDelivery): Delivery => ({
  ...withAttempts(delivery, receiveCount),
  deferrals: undefined,
});

/** The delivery as it goes on backing off when it is no longer pending. */
const waiting = (queued: QueuedDelivery): Delivery => ({
  ...attempted(queued),
  backingOffSince: backingOffSince(queued),
});

const backingOffSince = ({ delivery, firstReceivedAt }: QueuedDelivery): string =>
  delivery.backingOffSince ?? firstReceivedAt.toISOString();

/** Since when the event of an attempt that failed for good has been failing, as far as known. */
const failingSince = (queued: QueuedDelivery, { outcome }: Attempt): string | undefined =>
  outcome.class === 'fatal' ? queued.delivery.refusedAt : backingOffSince(queued);
