import type { DeliveryStates, Integration, IntegrationStore } from '../integrations/integration.ts';
import type { AttemptDelivery, MadeAttempt } from './attempt-delivery.ts';
import type { Delivery } from './delivery.ts';
import type { EnterTrouble } from './enter-trouble.ts';
import type { HoldDelivery } from './hold-delivery.ts';
import type { PendingEvents } from './pending-events.ts';
import type { RecoverIntegration } from './recover-integration.ts';
import { nextDelayMs, type RetryPolicy, retryAfterMs } from './retry-policy.ts';

export type FindIntegration = IntegrationStore['find'];

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
 * - `backing-off`: the message comes back after the delay.
 * - `outdated`: the integration changed while the attempt failed; the message comes back at once.
 */
export type DeliveryResult =
  | { readonly kind: 'dropped'; readonly because: 'deleted' | 'inactive' }
  | { readonly kind: 'held'; readonly became?: 'busy' | 'failed'; readonly made?: MadeAttempt }
  | { readonly kind: 'delivered'; readonly made: MadeAttempt; readonly recovered: boolean }
  | {
      readonly kind: 'backing-off';
      readonly made: MadeAttempt;
      readonly delayMs: number;
      readonly became?: 'busy';
    }
  | { readonly kind: 'outdated'; readonly made: MadeAttempt };

export type DeliverWebhook = (
  queued: QueuedDelivery,
  findIntegration: FindIntegration,
) => Promise<DeliveryResult>;

interface Ports {
  attemptDelivery: AttemptDelivery;
  holdDelivery: HoldDelivery;
  enterTrouble: EnterTrouble;
  recoverIntegration: RecoverIntegration;
  states: DeliveryStates;
  pendingEvents: PendingEvents;
  retryPolicy: RetryPolicy;
  /** Consecutive transient results after which an integration is busy. */
  busyAfter: number;
  now: () => Date;
  /** Uniform in [0, 1). */
  random: () => number;
}

/**
 * Delivers what a message of the deliveries queue carries, or sees to it that it is delivered
 * later. Throws when a port fails: the message then comes back after its visibility.
 */
export const createDeliverWebhook = (ports: Ports): DeliverWebhook => {
  const afterAttempt = createAfterAttempt(ports);
  return async (queued, findIntegration) => {
    const { delivery, receiveCount } = queued;
    const integration = await findIntegration(delivery.account, delivery.integration);
    const mayBePending = receiveCount > 1;
    if (integration === undefined) {
      if (mayBePending) await ports.pendingEvents.remove(delivery);
      return { kind: 'dropped', because: 'deleted' };
    }
    if (!integration.active) {
      // An event that was taken on before is kept; a new one of an inactive integration is not.
      if (!mayBePending && delivery.trigger === 'event') {
        return { kind: 'dropped', because: 'inactive' };
      }
      await ports.holdDelivery(triedAgain(delivery, receiveCount - 1));
      return { kind: 'held' };
    }
    // Of a busy integration, the messages that are backing off are its probes.
    const isProbe = integration.delivery.kind === 'busy' && receiveCount > 1;
    if (integration.delivery.kind !== 'healthy' && !isProbe) {
      await ports.holdDelivery(triedAgain(delivery, receiveCount - 1));
      return { kind: 'held' };
    }
    const made = await ports.attemptDelivery(delivery, integration, {
      number: delivery.priorAttempts + receiveCount,
      trigger: receiveCount === 1 ? delivery.trigger : 'backoff',
    });
    return afterAttempt(queued, integration, made);
  };
};

/** What follows from an attempt, by its outcome. Every step leaves the message safe to come back. */
const createAfterAttempt = (ports: Ports) => {
  const afterSuccess = async (
    { delivery, receiveCount }: QueuedDelivery,
    integration: Integration,
  ): Promise<boolean> => {
    // Held by an earlier receive that died before its message was deleted.
    if (receiveCount > 1) await ports.pendingEvents.remove(delivery);
    if (integration.delivery.kind === 'busy') return ports.recoverIntegration(integration);
    if (integration.transients > 0) await ports.states.forgetTransients(integration);
    return false;
  };

  const afterFatal = async (
    { delivery, receiveCount }: QueuedDelivery,
    integration: Integration,
    made: MadeAttempt,
  ): Promise<DeliveryResult> => {
    const failed = await ports.enterTrouble(integration, 'failed', made.attempt);
    if (!failed) return { kind: 'outdated', made };
    await ports.holdDelivery(triedAgain(delivery, receiveCount));
    return { kind: 'held', became: 'failed', made };
  };

  const afterTransient = async (
    { delivery, receiveCount }: QueuedDelivery,
    integration: Integration,
    { made, delayMs }: { made: MadeAttempt; delayMs: number },
  ): Promise<DeliveryResult> => {
    const transients = await ports.states.countTransient(integration);
    const isBusy = transients !== undefined && transients >= ports.busyAfter;
    if (!isBusy) return { kind: 'backing-off', made, delayMs };
    // One that was busy when it was read has its schedule already.
    const wasHealthy = integration.delivery.kind === 'healthy';
    const entered = wasHealthy && (await ports.enterTrouble(integration, 'busy', made.attempt));
    const became = entered ? 'busy' : undefined;
    // Enough probes are backing off already: this one would only fill the queue.
    if (transients > ports.busyAfter && receiveCount === 1) {
      await ports.holdDelivery(triedAgain(delivery, receiveCount));
      return { kind: 'held', made, ...(became && { became }) };
    }
    return { kind: 'backing-off', made, delayMs, ...(became && { became }) };
  };

  return async (
    queued: QueuedDelivery,
    integration: Integration,
    made: MadeAttempt,
  ): Promise<DeliveryResult> => {
    const { outcome } = made.attempt;
    if (outcome.class === 'delivered') {
      return { kind: 'delivered', made, recovered: await afterSuccess(queued, integration) };
    }
    if (outcome.class === 'fatal') return afterFatal(queued, integration, made);
    const delayMs = delayAfter(queued, made, ports);
    return delayMs === undefined
      ? afterFatal(queued, integration, made)
      : afterTransient(queued, integration, { made, delayMs });
  };
};

const triedAgain = (delivery: Delivery, attempts: number): Delivery => ({
  ...delivery,
  priorAttempts: delivery.priorAttempts + attempts,
});

const delayAfter = (
  { firstReceivedAt, receiveCount }: QueuedDelivery,
  { attempt: { outcome } }: MadeAttempt,
  { now, random, retryPolicy }: Pick<Ports, 'now' | 'random' | 'retryPolicy'>,
): number | undefined => {
  const at = now();
  const { result } = outcome;
  return nextDelayMs(retryPolicy, {
    number: receiveCount,
    sinceFirstMs: at.getTime() - firstReceivedAt.getTime(),
    retryAfterMs: result.kind === 'answered' ? retryAfterMs(result.retryAfter, at) : undefined,
    random: random(),
  });
};
