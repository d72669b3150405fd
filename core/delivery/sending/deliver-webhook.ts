import {
  canReplay,
  type Integration,
  type IntegrationKey,
  isStopped,
} from '../../integration/integration.ts';
import { endOf, nextTrigger } from '../attempt.ts';
import { type Delivery, isReplayed, rerouted } from '../delivery.ts';
import type { Logged, Reading } from '../delivery-log.ts';
import type { DeliveryQueue, QueuedDelivery, ReceivedDelivery } from '../delivery-queue.ts';
import { type Lane, laneOf } from '../lanes.ts';
import { buildEndFailureOf } from '../trouble/troubles.ts';
import { type BackoffPolicy, backoffAfter, delayAfter } from './backoff.ts';
import { type MadeAttempt, type MakeAttempt, record, type WriteLog } from './make-attempt.ts';
import {
  buildSettleAttempt,
  type DeliveryResult,
  type SettlingPolicy,
  type SettlingPorts,
} from './settle-attempt.ts';
import { buildTakeBack } from './store-event.ts';

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
      mayBeLogged(message) ? batch.readLog(message.delivery) : NOTHING,
    ]);
    const { logged, logFault } = reading;
    const fault = logFault === undefined ? {} : { logFault };
    const isConfirmed = logged === 'delivered' && message.delivery.trigger !== 'manual';
    if (integration === undefined || isConfirmed) return drop(message, integration, reading);
    const attempted = withEarlierAttempts(message, reading);
    const delivery = asListed(attempted, reading);
    const { backoff } = message.delivery;
    const backoffToStore = backoff && { ...backoff, hasSlot: false };
    const queued = { ...message, delivery, backoffToStore };
    const isUnattempted = attempted === message.delivery;
    const isProbe = integration.trouble?.kind === 'busy' && delivery.backoff?.hasSlot === true;
    const continuesReplay = isUnattempted && isReplayed(delivery) && canReplay(integration);
    if (!integration.active || (isStopped(integration) && !isProbe && !continuesReplay)) {
      return { ...fault, ...(await storeUnattempted(queued, logged)) };
    }
    if (ports.lane === 'fast' && laneOf(integration, ports.now()) === 'slow') {
      const isMoved = await moveToSlowLane(queued, integration);
      return { kind: isMoved ? 'moved' : 'outdated', ...fault };
    }
    return { ...(await attempt(queued, integration, { logged, write })), ...fault };
  };
  return (message) => batch.ofDelivery((write) => deliver(message, write));
};

/** Ends a delivery of a deleted integration, or one that was delivered before. */
const buildDrop = (ports: Ports) => {
  const takeBack = buildTakeBack(ports);
  const endFailureOf = buildEndFailureOf(ports);
  return async (
    message: QueuedDelivery,
    integration: Integration | undefined,
    { deliveredAt }: Reading,
  ): Promise<DeliveryResult> => {
    if (message.receiveCount > 1) {
      await ports.pendingEvents.removeOf(message.delivery, message);
      if (integration !== undefined) await takeBack(message.delivery, integration);
      if (deliveredAt) await endFailureOf(message.delivery, new Date(deliveredAt));
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
    queued: ReceivedDelivery,
    integration: Integration,
    { logged, write }: { logged: Logged; write: WriteLog },
  ): Promise<DeliveryResult> => {
    const { delivery } = queued;
    const made = await ports.makeAttempt(delivery, integration, {
      number: delivery.priorAttempts + 1,
      trigger: nextTrigger(delivery),
      nextDelayMs: (outcome, at) =>
        delayAfter(ports.backoff, delivery, { outcome, at, random: ports.random() }),
      watch: (begun) => ports.batch.watchAttempt(integration, begun),
    });
    const recorded = await record(made, { delivery, logged }, write);
    return settleAttempt({
      queued,
      integration,
      made: delayedUnlessRecorded(recorded, queued, ports.backoff),
    });
  };
};

export const keyOf = ({ delivery }: QueuedDelivery): IntegrationKey => ({
  account: delivery.account,
  id: delivery.integration,
});

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

/** An event that is sent again with another time is the same event. */
const asListed = (delivery: Delivery, { occurredAt }: Pick<Reading, 'occurredAt'>): Delivery =>
  occurredAt === undefined ? delivery : { ...delivery, event: { ...delivery.event, occurredAt } };

const NOTHING: Reading = { logged: 'nothing' };

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
