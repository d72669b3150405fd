import type { IntegrationStore } from '../integrations/integration.ts';
import {
  type AfterAttemptPorts,
  type Consequence,
  createAfterAttempt,
  type QueuedDelivery,
  triedAgain,
} from './after-attempt.ts';
import type { AttemptDelivery } from './attempt-delivery.ts';
import type { Arrivals } from './delivery-log.ts';
import type { Outcome } from './outcome.ts';
import { nextDelayMs, type RetryPolicy, retryAfterMs } from './retry-policy.ts';

export type FindIntegration = IntegrationStore['find'];

/** `arrivalFault`: why the delivery log could not tell whether it had arrived before. */
export type DeliveryResult = Consequence & { readonly arrivalFault?: unknown };

export type DeliverWebhook = (
  queued: QueuedDelivery,
  findIntegration: FindIntegration,
) => Promise<DeliveryResult>;

interface Ports extends AfterAttemptPorts {
  attemptDelivery: AttemptDelivery;
  arrivals: Arrivals;
  retryPolicy: RetryPolicy;
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
    const [integration, arrival] = await Promise.all([
      findIntegration(delivery.account, delivery.integration),
      findArrival(queued, ports.arrivals),
    ]);
    const mayBePending = receiveCount > 1;
    if (integration === undefined || arrival === 'arrived') {
      if (mayBePending) await ports.pendingEvents.remove(delivery);
      return { kind: 'dropped', because: integration ? 'arrived' : 'deleted' };
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
      nextDelayMs: (outcome, at) => delayAfter(queued, { outcome, at }, ports),
    });
    return { ...(await afterAttempt(queued, integration, made)), ...arrival };
  };
};

/**
 * Whether the endpoint confirmed the delivery already: to an earlier receive that died before its
 * message was deleted, or to another message of the same delivery. A new one is not asked about,
 * nor one that is wanted whether it arrived or not. A log that cannot be read decides nothing.
 */
const findArrival = async (
  { delivery, receiveCount }: QueuedDelivery,
  arrivals: Arrivals,
): Promise<'arrived' | { arrivalFault?: unknown }> => {
  const isNew = receiveCount === 1 && delivery.trigger === 'event';
  if (isNew || delivery.trigger === 'manual') return {};
  try {
    return (await arrivals.hasArrived(delivery)) ? 'arrived' : {};
  } catch (arrivalFault) {
    return { arrivalFault };
  }
};

/** Undefined when there is nothing to wait for, or the window is over. */
const delayAfter = (
  { firstReceivedAt, receiveCount }: QueuedDelivery,
  { outcome, at }: { outcome: Outcome; at: Date },
  { random, retryPolicy }: Pick<Ports, 'random' | 'retryPolicy'>,
): number | undefined => {
  if (outcome.class !== 'transient') return undefined;
  const { result } = outcome;
  return nextDelayMs(retryPolicy, {
    number: receiveCount,
    sinceFirstMs: at.getTime() - firstReceivedAt.getTime(),
    retryAfterMs: result.kind === 'answered' ? retryAfterMs(result.retryAfter, at) : undefined,
    random: random(),
  });
};
