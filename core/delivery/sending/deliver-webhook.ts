import {
  canReplay,
  type Integration,
  type IntegrationReader,
  isStopped,
} from '../../integration/integration.ts';
import { nextTrigger } from '../attempt.ts';
import { type Delivery, isReplayed, rerouted } from '../delivery.ts';
import type { Logged } from '../delivery-log.ts';
import type { DeliveryQueue, QueuedDelivery, ReceivedDelivery } from '../delivery-queue.ts';
import { type Lane, laneOf, type WatchAttempt } from '../lanes.ts';
import { type BackoffPolicy, backoffAfter, delayAfter } from './backoff.ts';
import type { Consequence, SettlingPorts } from './consequence.ts';
import { buildTakeBack } from './keep-event.ts';
import { type MakeAttempt, record, type WriteLog } from './make-attempt.ts';
import { type Reading, type ReadLog, readOrUnknown } from './read-log.ts';
import { buildSettleAttempt } from './settle-attempt.ts';
import type { ConfirmedSince } from './settle-fatal.ts';

/** `moved`: to the slow lane. The faults are of reading the log and of listing in it. */
export type DeliveryResult = (Consequence | { readonly kind: 'moved' }) & {
  readonly logFault?: unknown;
  readonly listingFault?: unknown;
};

/** The ports that the deliveries of a batch share. They gather calls into few calls of AWS. */
export interface BatchPorts {
  readonly findIntegration: IntegrationReader['find'];
  readonly readLog: ReadLog;
  readonly writeLog: WriteLog;
  /** Lists a delivery without an attempt in the log, if the log has nothing of it. */
  readonly listInLog: (delivery: Delivery) => Promise<void>;
  readonly watchAttempt: WatchAttempt;
  readonly confirmedSince: ConfirmedSince;
}

export type DeliverWebhook = (queued: QueuedDelivery, batch: BatchPorts) => Promise<DeliveryResult>;

interface Ports extends SettlingPorts {
  lane: Lane;
  slowLane: DeliveryQueue;
  makeAttempt: MakeAttempt;
  backoff: BackoffPolicy;
  now: () => Date;
}

/**
 * Attempts the delivery in a message, or stores it as pending, drops it, or moves it to the slow
 * lane. Throws when a port fails: the message is received again after its visibility timeout.
 */
export const buildDeliverWebhook = (ports: Ports): DeliverWebhook => {
  const moveToSlowLane = buildMoveToSlowLane(ports);
  const settleAttempt = buildSettleAttempt(ports);
  const takeBack = buildTakeBack(ports);

  /** Lists the delivery before its first attempt, so that the log shows which events wait. */
  const storeUnattempted = async (
    { delivery, messageId, resumed }: ReceivedDelivery,
    { logged, batch }: { logged: Logged; batch: BatchPorts },
  ): Promise<DeliveryResult> => {
    const listing = logged === 'nothing' ? batch.listInLog(delivery) : Promise.resolve();
    const listed = listing.then(
      () => ({}),
      (listingFault: unknown) => ({ listingFault }),
    );
    const pending = { ...delivery, backoff: resumed };
    await ports.storePending(pending, { messageId }).finally(() => listed);
    return { kind: 'pending', ...(await listed) };
  };

  /** The next attempt of the delivery must find this one in the log. */
  const attempt = async (
    queued: ReceivedDelivery,
    integration: Integration,
    { logged, batch }: { logged: Logged; batch: BatchPorts },
  ): Promise<Consequence> => {
    const { delivery } = queued;
    const made = await ports.makeAttempt(delivery, integration, {
      number: delivery.priorAttempts + 1,
      trigger: nextTrigger(delivery),
      nextDelayMs: (outcome, at) =>
        delayAfter(ports.backoff, queued, { outcome, at, random: ports.random() }),
      watch: (begun) => batch.watchAttempt(integration, begun),
    });
    const recorded = await record(made, { delivery, logged }, batch.writeLog);
    return settleAttempt({ queued, integration, made: recorded }, batch);
  };

  return async (message, batch) => {
    const [integration, { logged, latestAttempt, ...fault }] = await Promise.all([
      batch.findIntegration(message.delivery.account, message.delivery.integration),
      readLogged(message, batch),
    ]);
    const isConfirmed = logged === 'delivered' && message.delivery.trigger !== 'manual';
    if (integration === undefined || isConfirmed) {
      if (message.receiveCount > 1) {
        await ports.pendingEvents.removeOf(message.delivery, message);
        if (integration !== undefined) await takeBack(message.delivery, integration);
      }
      return { kind: 'dropped', because: integration ? 'delivered-before' : 'deleted' };
    }
    const delivery = asOfNow(message, { logged, latestAttempt });
    const { backoff } = message.delivery;
    const resumed = backoff && { ...backoff, hasSlot: false };
    const queued = { ...message, delivery, resumed };
    const isUnattempted = delivery === message.delivery;
    const isProbe = integration.trouble?.kind === 'busy' && delivery.backoff?.hasSlot === true;
    const goesOn = isUnattempted && isReplayed(delivery) && canReplay(integration);
    if (!integration.active || (isStopped(integration) && !isProbe && !goesOn)) {
      return { ...fault, ...(await storeUnattempted(queued, { logged, batch })) };
    }
    if (ports.lane === 'fast' && laneOf(integration, ports.now()) === 'slow') {
      const isMoved = await moveToSlowLane(queued, integration);
      return { kind: isMoved ? 'moved' : 'outdated', ...fault };
    }
    return { ...(await attempt(queued, integration, { logged, batch })), ...fault };
  };
};

/**
 * The delivery with the attempts of earlier receives of its message. A receive can end by a fault of
 * ours, without an attempt.
 */
const asOfNow = (
  message: QueuedDelivery,
  { logged, latestAttempt }: Pick<Reading, 'logged' | 'latestAttempt'>,
): Delivery => {
  const { delivery, receiveCount } = message;
  const known = latestAttempt ? latestAttempt.number - delivery.priorAttempts : 0;
  const attempts = logged === 'unknown' ? receiveCount - 1 : known;
  if (receiveCount === 1 || attempts <= 0) return delivery;
  const hasSlot = delivery.backoff?.hasSlot === true || latestAttempt?.backsOff === true;
  return {
    ...delivery,
    priorAttempts: delivery.priorAttempts + attempts,
    backoff: backoffAfter(message, { attempts, hasSlot }),
  };
};

/**
 * Whether the endpoint has confirmed the delivery already, in an earlier receive whose process died
 * or by another message. Does not read for a new delivery of an event that was routed once.
 */
const readLogged = async (
  { delivery, receiveCount }: QueuedDelivery,
  { readLog }: BatchPorts,
): Promise<Reading> => {
  const isNew = receiveCount === 1 && delivery.trigger === 'event';
  return isNew ? { logged: 'nothing' } : readOrUnknown(delivery, readLog);
};

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
