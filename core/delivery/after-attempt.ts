import type { DeliveryStates, Integration } from '../integrations/integration.ts';
import type { MadeAttempt } from './attempt-delivery.ts';
import type { Delivery } from './delivery.ts';
import type { EndTrouble } from './end-trouble.ts';
import type { EnterTrouble } from './enter-trouble.ts';
import type { HoldDelivery } from './hold-delivery.ts';
import type { PendingEvents } from './pending-events.ts';

/** A delivery as it came from the deliveries queue. */
export interface QueuedDelivery {
  readonly delivery: Delivery;
  /** Counts from 1. */
  readonly receiveCount: number;
  readonly firstReceivedAt: Date;
}

/**
 * What became of a queued delivery, and of its message:
 * - `dropped`, `held`, `delivered`: its effect is durable, the message may go.
 * - `backing-off`: the message comes back at that instant.
 * - `outdated`: the integration changed while the attempt failed; the message comes back at once.
 */
export type Consequence =
  | { readonly kind: 'dropped'; readonly because: 'deleted' | 'inactive' | 'arrived' }
  | { readonly kind: 'held'; readonly became?: 'busy' | 'failed'; readonly made?: MadeAttempt }
  | { readonly kind: 'delivered'; readonly made: MadeAttempt; readonly recovered: boolean }
  | {
      readonly kind: 'backing-off';
      readonly made: MadeAttempt;
      readonly nextAttemptAt: Date;
      readonly became?: 'busy';
    }
  | { readonly kind: 'outdated'; readonly made: MadeAttempt };

export interface AfterAttemptPorts {
  holdDelivery: HoldDelivery;
  enterTrouble: EnterTrouble;
  endTrouble: EndTrouble;
  states: DeliveryStates;
  pendingEvents: PendingEvents;
  /** Consecutive transient results after which an integration is busy. */
  busyAfter: number;
}

/** What follows from an attempt, by its outcome. Every step leaves the message safe to come back. */
export const createAfterAttempt = (ports: AfterAttemptPorts) => {
  const afterSuccess = async (
    { delivery, receiveCount }: QueuedDelivery,
    integration: Integration,
  ): Promise<boolean> => {
    // Held by an earlier receive that died before its message was deleted.
    if (receiveCount > 1) await ports.pendingEvents.remove(delivery);
    if (integration.delivery.kind === 'busy') return ports.endTrouble(integration);
    if (integration.transients > 0) await ports.states.forgetTransients(integration);
    return false;
  };

  const afterFatal = async (
    { delivery, receiveCount }: QueuedDelivery,
    integration: Integration,
    made: MadeAttempt,
  ): Promise<Consequence> => {
    const failed = await ports.enterTrouble(integration, 'failed', made.attempt);
    if (!failed) return { kind: 'outdated', made };
    await ports.holdDelivery(triedAgain(delivery, receiveCount));
    return { kind: 'held', became: 'failed', made };
  };

  const afterTransient = async (
    { delivery, receiveCount }: QueuedDelivery,
    integration: Integration,
    { made, nextAttemptAt }: { made: MadeAttempt; nextAttemptAt: Date },
  ): Promise<Consequence> => {
    const transients = await ports.states.countTransient(integration);
    // It changed or recovered meanwhile, and so may thousands that hung with it: not each of them
    // is to back off uncounted. Held, it is replayed and counts.
    if (transients === undefined && receiveCount === 1) {
      await ports.holdDelivery(triedAgain(delivery, receiveCount));
      return { kind: 'held', made };
    }
    const isBusy = transients !== undefined && transients >= ports.busyAfter;
    if (!isBusy) return { kind: 'backing-off', made, nextAttemptAt };
    // One that was busy when it was read has its schedule already.
    const wasHealthy = integration.delivery.kind === 'healthy';
    const entered = wasHealthy && (await ports.enterTrouble(integration, 'busy', made.attempt));
    const became = entered ? 'busy' : undefined;
    // Enough probes are backing off already: this one would only fill the queue.
    if (transients > ports.busyAfter && receiveCount === 1) {
      await ports.holdDelivery(triedAgain(delivery, receiveCount));
      return { kind: 'held', made, ...(became && { became }) };
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
      return { kind: 'delivered', made, recovered: await afterSuccess(queued, integration) };
    }
    return nextAttemptAt === undefined
      ? afterFatal(queued, integration, made)
      : afterTransient(queued, integration, { made, nextAttemptAt });
  };
};

/** With the attempts that its message has had. */
export const triedAgain = (delivery: Delivery, attempts: number): Delivery => ({
  ...delivery,
  priorAttempts: delivery.priorAttempts + attempts,
});
