import { type Integration, type IntegrationKey, isStopped } from '../../integration/integration.ts';
import { endOf, nextTrigger } from '../attempt.ts';
import { type Delivery, rerouted } from '../delivery.ts';
import type { Logged, Reading } from '../delivery-log.ts';
import type { DeliveryQueue, QueuedDelivery, ReceivedDelivery } from '../delivery-queue.ts';
import { type Lane, laneOf } from '../lanes.ts';
import { type BackoffPolicy, backoffAfter, nextAttemptAfter } from './backoff.ts';
import { buildConfirmed } from './confirmation.ts';
import type { Unconfirmed } from './event-window.ts';
import { type MadeAttempt, type MakeAttempt, record, type WriteLog } from './make-attempt.ts';
import {
  buildSettleAttempt,
  type DeliveryResult,
  type SettlingPolicy,
  type SettlingPorts,
} from './settle-attempt.ts';

export type DeliverWebhook = (message: QueuedDelivery) => Promise<DeliveryResult>;

export interface DeliveryPolicy extends SettlingPolicy {
  lane: Lane;
  backoff: BackoffPolicy;
}

interface Ports extends SettlingPorts, DeliveryPolicy {
  slowLane: DeliveryQueue;
  makeAttempt: MakeAttempt;
  now: () => Date;
}

/**
 * Attempts the delivery in a message, or stores it as pending, drops it, or moves it to the slow
 * lane. Throws when a port fails: the message is received again after its visibility timeout.
 */
export const buildDeliverWebhook = (ports: Ports): DeliverWebhook => {
  const moveToSlowLane = buildMoveToSlowLane(ports);
  const storeUnattempted = buildStoreUnattempted(ports);
  const attempt = buildAttempt(ports);
  const drop = buildDrop(ports);
  const { batch } = ports;

  const deliver = async (message: QueuedDelivery, write: WriteLog): Promise<DeliveryResult> => {
    const [integration, reading] = await Promise.all([
      batch.findIntegration(keyOf(message)),
      mayBeLogged(message) ? batch.readLog(message.delivery) : CANNOT_BE_LOGGED,
    ]);
    const { logged, logFault } = reading;
    const readFault = logFault === undefined ? {} : { logFault };
    const isConfirmed = logged === 'delivered' && message.delivery.trigger !== 'manual';
    if (integration === undefined || isConfirmed) return drop(message, integration, reading);
    const received = withReading(message, reading);
    const isBackingOff = received.delivery.backoff?.hasSlot === true;
    const isProbe = integration.trouble?.kind === 'busy' && isBackingOff;
    if (!integration.active || (isStopped(integration) && !isProbe)) {
      return { ...readFault, ...(await storeUnattempted(received, logged)) };
    }
    if (ports.lane === 'fast' && laneOf(integration, ports.now()) === 'slow') {
      const isMoved = await moveToSlowLane(received, integration);
      return { kind: isMoved ? 'moved' : 'outdated', ...readFault };
    }
    return { ...(await attempt(received, integration, { logged, write })), ...readFault };
  };
  return (message) => batch.ofDelivery((write) => deliver(message, write));
};

/** Ends a delivery of a deleted integration, or one that was delivered before. */
const buildDrop = (ports: Ports) => {
  const confirmed = buildConfirmed(ports);
  return async (
    message: QueuedDelivery,
    integration: Integration | undefined,
    { deliveredAt }: Reading,
  ): Promise<DeliveryResult> => {
    if (message.receiveCount > 1) {
      const confirmedAt = deliveredAt === undefined ? undefined : new Date(deliveredAt);
      await confirmed({ delivery: message.delivery, integration, message, confirmedAt });
    }
    return { kind: 'dropped', because: integration ? 'delivered-before' : 'deleted' };
  };
};

/** Lists the delivery before its first attempt, so that the log shows which events wait. */
const buildStoreUnattempted =
  ({ batch, storePending }: Ports) =>
  async (
    { delivery, messageId, backoffToStore }: ReceivedDelivery,
    logged: Logged,
  ): Promise<DeliveryResult> => {
    const listing = logged === 'nothing' ? batch.listInLog(delivery) : Promise.resolve();
    const listed = listing.then(
      () => ({}),
      (listingFault: unknown) => ({ listingFault }),
    );
    const pending = { ...delivery, backoff: backoffToStore };
    await storePending(pending, { messageId }).finally(() => listed);
    return { kind: 'pending', ...(await listed) };
  };

/** The next attempt of the delivery must find this one in the log. */
const buildAttempt = (ports: Ports) => {
  const settleAttempt = buildSettleAttempt(ports);
  return async (
    received: ReceivedDelivery,
    integration: Integration,
    { logged, write }: { logged: Logged; write: WriteLog },
  ): Promise<DeliveryResult> => {
    const { delivery } = received;
    const attempt = ports.makeAttempt(delivery, integration, {
      number: delivery.priorAttempts + 1,
      trigger: nextTrigger(delivery),
    });
    const made = await ports.batch.noteSlowness(integration, attempt);
    const planned = withNextAttempt(made, { delivery, integration }, ports);
    const recorded = await record(planned, { delivery, logged }, write);
    return settleAttempt({
      received,
      integration,
      made: delayedUnlessRecorded(recorded, received, ports.backoff),
    });
  };
};

const withNextAttempt = (
  made: MadeAttempt,
  of: Pick<Unconfirmed, 'delivery' | 'integration'>,
  ports: Pick<Ports, 'backoff' | 'random'>,
): MadeAttempt => {
  const { attempt } = made;
  const unconfirmed = { ...of, attempt };
  const nextAttemptAt = nextAttemptAfter(ports.backoff, unconfirmed, { random: ports.random() });
  return nextAttemptAt === undefined ? made : { ...made, attempt: { ...attempt, nextAttemptAt } };
};

export const keyOf = ({ delivery }: QueuedDelivery): IntegrationKey => ({
  account: delivery.account,
  id: delivery.integration,
});

/** The message as the log shows its delivery. An event that is sent again with another time is the same. */
const withReading = (message: QueuedDelivery, reading: Reading): ReceivedDelivery => {
  const { backoff } = message.delivery;
  const delivery = withEarlierAttempts(message, reading);
  const { occurredAt = delivery.event.occurredAt } = reading;
  return {
    ...message,
    delivery: { ...delivery, event: { ...delivery.event, occurredAt } },
    backoffToStore: backoff && { ...backoff, hasSlot: false },
  };
};

/**
 * The delivery with the attempts of earlier receives of its message. A receive can end by a fault of
 * ours, without an attempt.
 */
const withEarlierAttempts = (
  message: QueuedDelivery,
  { logged, latestAttempt, firstAttempt = latestAttempt }: Reading,
): Delivery => {
  const { delivery, receiveCount, firstReceivedAt } = message;
  const known = latestAttempt ? latestAttempt.number - delivery.priorAttempts : 0;
  const attempts = logged === 'unknown' ? receiveCount - 1 : known;
  if (receiveCount === 1 || attempts <= 0) return delivery;
  const hasSlot = delivery.backoff?.hasSlot === true || latestAttempt?.backsOff === true;
  const firstMs = firstAttempt ? Date.parse(firstAttempt.startedAt) : 0;
  const since = new Date(Math.max(firstReceivedAt.getTime(), firstMs));
  return {
    ...delivery,
    priorAttempts: delivery.priorAttempts + attempts,
    backoff: backoffAfter(delivery, { attempts, hasSlot, since }),
  };
};

/**
 * The next receive does not find an attempt that the log could not take: the delay grows with the time
 * since the first receive instead of with the number of attempts.
 */
const delayedUnlessRecorded = (
  made: MadeAttempt,
  { firstReceivedAt }: ReceivedDelivery,
  { maxDelayMs }: BackoffPolicy,
): MadeAttempt => {
  const { attempt, recordingFault } = made;
  if (recordingFault === undefined || attempt.nextAttemptAt === undefined) return made;
  const endedMs = endOf(attempt).getTime();
  const leastMs = Math.min(maxDelayMs, endedMs - firstReceivedAt.getTime());
  const nextMs = Math.max(attempt.nextAttemptAt.getTime(), endedMs + leastMs);
  return { ...made, attempt: { ...attempt, nextAttemptAt: new Date(nextMs) } };
};

const CANNOT_BE_LOGGED: Reading = { logged: 'nothing' };

/**
 * The endpoint may have confirmed a delivery already, in an earlier receive whose process died or by
 * another message; not a new delivery of an event that was routed once.
 */
const mayBeLogged = ({ delivery, receiveCount }: QueuedDelivery): boolean =>
  receiveCount > 1 || delivery.trigger !== 'event';

/**
 * Moves a delivery as a new message that carries the earlier receives. Resolves to false if the
 * epoch is over. If the process dies before the old message is deleted, both exist.
 *
 * An earlier receive may have stored the delivery as pending and died. That copy is replayed within
 * the hour, and not removed: another worker may have stored it.
 */
const buildMoveToSlowLane =
  ({ slowLane, troubles }: Pick<Ports, 'slowLane' | 'troubles'>) =>
  async (
    { delivery, receiveCount, firstReceivedAt }: QueuedDelivery,
    integration: Integration,
  ): Promise<boolean> => {
    const latest = { lastAttemptAt: firstReceivedAt.toISOString() };
    const hasSchedule =
      receiveCount === 1 ||
      integration.trouble !== undefined ||
      (await troubles.begin(integration, { kind: 'waiting' }, { latest }));
    if (!hasSchedule) return false;
    await slowLane.enqueue([receiveCount === 1 ? delivery : rerouted(delivery)]);
    return true;
  };
