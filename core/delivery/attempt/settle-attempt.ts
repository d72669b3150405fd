import type { Integration } from '../../integration/integration.ts';
import { withAttempts } from '../delivery.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import type { PendingEvents, StorePending } from '../pending/pending-events.ts';
import type { TroubleStates, Troubles } from '../trouble/troubles.ts';
import type { MadeAttempt } from './make-attempt.ts';

/**
 * What became of a queued delivery, and of its message:
 * - `dropped`, `pending`, `delivered`: the effect is durable, the message may be deleted.
 * - `backing-off`: the message comes back at `nextAttemptAt`.
 * - `outdated`: the attempt failed, but the integration was changed meanwhile; the message comes
 *   back at once.
 *
 * `became`: the attempt found or made the integration busy or failed.
 */
export type Consequence =
  | { readonly kind: 'dropped'; readonly because: 'deleted' | 'delivered-before' }
  | { readonly kind: 'pending'; readonly became?: 'busy' | 'failed'; readonly made?: MadeAttempt }
  | { readonly kind: 'delivered'; readonly made: MadeAttempt; readonly endedTrouble: boolean }
  | {
      readonly kind: 'backing-off';
      readonly made: MadeAttempt;
      readonly nextAttemptAt: Date;
      readonly became?: 'busy';
    }
  | { readonly kind: 'outdated'; readonly made: MadeAttempt };

export interface SettleAttemptPorts {
  storePending: StorePending;
  troubles: Troubles;
  states: Pick<TroubleStates, 'countTransient' | 'forgetTransients'>;
  pendingEvents: Pick<PendingEvents, 'removeOf'>;
  /** Consecutive transient results after which an integration is busy. */
  busyAfter: number;
}

/**
 * Does what follows from an attempt, by its outcome. After a process that dies at any step, the
 * message can be received again.
 */
export const buildSettleAttempt = (ports: SettleAttemptPorts) => {
  const storeAttempted = (queued: QueuedDelivery): Promise<void> =>
    ports.storePending(withAttempts(queued.delivery, queued.receiveCount), queued);

  const afterSuccess = async (
    queued: QueuedDelivery,
    integration: Integration,
  ): Promise<boolean> => {
    // An earlier receive may have stored the delivery as pending and died before it deleted the
    // message.
    if (queued.receiveCount > 1) await ports.pendingEvents.removeOf(queued.delivery, queued);
    if (integration.trouble?.kind === 'busy') return ports.troubles.end(integration);
    if (integration.transients > 0) await ports.states.forgetTransients(integration);
    return false;
  };

  const afterFatal = async (
    queued: QueuedDelivery,
    integration: Integration,
    made: MadeAttempt,
  ): Promise<Consequence> => {
    const failed = await ports.troubles.begin(integration, 'failed', made.attempt);
    if (!failed) return { kind: 'outdated', made };
    await storeAttempted(queued);
    return { kind: 'pending', became: 'failed', made };
  };

  const afterTransient = async (
    queued: QueuedDelivery,
    integration: Integration,
    { made, nextAttemptAt }: { made: MadeAttempt; nextAttemptAt: Date },
  ): Promise<Consequence> => {
    const transients = await ports.states.countTransient(integration);
    // The epoch is over, so the result was not counted. Thousands of attempts may have hung at the
    // same time: if all these deliveries backed off, no result would be counted. A delivery that is
    // stored as pending is replayed, and the result of its next attempt counts.
    if (transients === undefined && queued.receiveCount === 1) {
      await storeAttempted(queued);
      return { kind: 'pending', made };
    }
    const isBusy = transients !== undefined && transients >= ports.busyAfter;
    if (!isBusy) return { kind: 'backing-off', made, nextAttemptAt };
    // If the integration was in trouble when it was read, it has its schedule already.
    const began =
      !integration.trouble && (await ports.troubles.begin(integration, 'busy', made.attempt));
    const became = began ? 'busy' : undefined;
    // Enough probes are backing off already: another probe would only fill the queue.
    if (transients > ports.busyAfter && queued.receiveCount === 1) {
      await storeAttempted(queued);
      return { kind: 'pending', made, ...(became && { became }) };
    }
    return { kind: 'backing-off', made, nextAttemptAt, ...(became && { became }) };
  };

  return async (
    queued: QueuedDelivery,
    integration: Integration,
    made: MadeAttempt,
  ): Promise<Consequence> => {
    const { outcome, nextAttemptAt } = made.attempt;
    if (outcome.class === 'delivered') {
      return { kind: 'delivered', made, endedTrouble: await afterSuccess(queued, integration) };
    }
    return nextAttemptAt === undefined
      ? afterFatal(queued, integration, made)
      : afterTransient(queued, integration, { made, nextAttemptAt });
  };
};
