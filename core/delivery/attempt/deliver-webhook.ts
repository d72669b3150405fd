import type { IntegrationStore } from '../../integration/integration.ts';
import type { Outcome } from '../attempt.ts';
import { withAttempts } from '../delivery.ts';
import type { DeliveryLog } from '../delivery-log.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import { type BackoffPolicy, nextDelayMs, retryAfterMs } from './backoff.ts';
import type { MakeAttempt } from './make-attempt.ts';
import { buildSettleAttempt, type Consequence, type SettleAttemptPorts } from './settle-attempt.ts';

export type FindIntegration = IntegrationStore['find'];

/** `logFault`: why the delivery log could not tell whether the delivery was delivered before. */
export type DeliveryResult = Consequence & { readonly logFault?: unknown };

export type DeliverWebhook = (
  queued: QueuedDelivery,
  findIntegration: FindIntegration,
) => Promise<DeliveryResult>;

interface Ports extends SettleAttemptPorts {
  makeAttempt: MakeAttempt;
  deliveryLog: Pick<DeliveryLog, 'wasDelivered'>;
  backoff: BackoffPolicy;
  /** Uniform in [0, 1). */
  random: () => number;
}

/**
 * Delivers what a message of the deliveries queue carries, or sees to it that the delivery is made
 * later. Throws when a port fails: the message then comes back after its visibility.
 */
export const buildDeliverWebhook = (ports: Ports): DeliverWebhook => {
  const settleAttempt = buildSettleAttempt(ports);
  return async (queued, findIntegration) => {
    const { delivery, receiveCount } = queued;
    const [integration, earlier] = await Promise.all([
      findIntegration(delivery.account, delivery.integration),
      findEarlierSuccess(queued, ports.deliveryLog),
    ]);
    const mayBePending = receiveCount > 1;
    if (integration === undefined || earlier === 'delivered') {
      if (mayBePending) await ports.pendingEvents.remove(delivery);
      return { kind: 'dropped', because: integration ? 'delivered-before' : 'deleted' };
    }
    // What an inactive integration accepted before is kept; a new event is not.
    if (!integration.active && !mayBePending && delivery.trigger === 'event') {
      return { kind: 'dropped', because: 'inactive' };
    }
    // The probes of a busy integration are the messages that are backing off.
    const isProbe = integration.trouble?.kind === 'busy' && receiveCount > 1;
    if (!integration.active || (integration.trouble && !isProbe)) {
      await ports.storePending(withAttempts(delivery, receiveCount - 1));
      return { kind: 'pending' };
    }
    const made = await ports.makeAttempt(delivery, integration, {
      number: delivery.priorAttempts + receiveCount,
      trigger: receiveCount === 1 ? delivery.trigger : 'backoff',
      nextDelayMs: (outcome, at) => delayAfter(queued, { outcome, at }, ports),
    });
    return { ...(await settleAttempt(queued, integration, made)), ...earlier };
  };
};

/**
 * Whether the endpoint confirmed the delivery already: to an earlier receive that died before its
 * message was deleted, or to another message of the same delivery. Nobody asks about a new
 * delivery, nor about one that is wanted whether it was delivered or not. A log that cannot be
 * read decides nothing.
 */
const findEarlierSuccess = async (
  { delivery, receiveCount }: QueuedDelivery,
  log: Pick<DeliveryLog, 'wasDelivered'>,
): Promise<'delivered' | { logFault?: unknown }> => {
  const isNew = receiveCount === 1 && delivery.trigger === 'event';
  if (isNew || delivery.trigger === 'manual') return {};
  try {
    return (await log.wasDelivered(delivery)) ? 'delivered' : {};
  } catch (logFault) {
    return { logFault };
  }
};

/** Undefined when there is nothing to wait for, or the window is over. */
const delayAfter = (
  { firstReceivedAt, receiveCount }: QueuedDelivery,
  { outcome, at }: { outcome: Outcome; at: Date },
  { random, backoff }: Pick<Ports, 'random' | 'backoff'>,
): number | undefined => {
  if (outcome.class !== 'transient') return undefined;
  const { result } = outcome;
  return nextDelayMs(backoff, {
    number: receiveCount,
    sinceFirstMs: at.getTime() - firstReceivedAt.getTime(),
    retryAfterMs: result.kind === 'answered' ? retryAfterMs(result.retryAfter, at) : undefined,
    random: random(),
  });
};
