import {
  canReplay,
  type Integration,
  type IntegrationReader,
  isStopped,
} from '../../integration/integration.ts';
import type { Trigger } from '../attempt.ts';
import { type Delivery, withAttempts } from '../delivery.ts';
import type { Logged, LogReading } from '../delivery-log.ts';
import type { DeliveryQueue, QueuedDelivery } from '../delivery-queue.ts';
import { type Lane, laneOf, type WatchAttempt } from '../lanes.ts';
import { type BackoffPolicy, delayAfter } from './backoff.ts';
import type { Consequence, SettlingPorts } from './consequence.ts';
import { type MadeAttempt, type MakeAttempt, record, type WriteLog } from './make-attempt.ts';
import { buildSettleAttempt } from './settle-attempt.ts';
import { type ConfirmedSince, isReplayed } from './settle-fatal.ts';

/** `moved`: to the slow lane. The faults are of reading the log and of listing in it. */
export type DeliveryResult = (Consequence | { readonly kind: 'moved' }) & {
  readonly logFault?: unknown;
  readonly listingFault?: unknown;
};

/** The ports that the deliveries of a batch share. They gather calls into few calls of AWS. */
export interface BatchPorts {
  readonly findIntegration: IntegrationReader['find'];
  readonly readLog: (delivery: Delivery) => Promise<LogReading>;
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

  /** Lists the delivery before its first attempt, so that the log shows which events wait. */
  const storeUnattempted = async (
    queued: QueuedDelivery,
    { logged, batch }: { logged: Logged; batch: BatchPorts },
  ): Promise<DeliveryResult> => {
    const { delivery, receiveCount } = queued;
    const listing = logged === 'nothing' ? batch.listInLog(delivery) : Promise.resolve();
    const listed = listing.then(
      () => ({}),
      (listingFault: unknown) => ({ listingFault }),
    );
    const stored = withAttempts(delivery, receiveCount - 1);
    await ports.storePending(stored, queued).finally(() => listed);
    return { kind: 'pending', ...(await listed) };
  };

  const attempt = async (
    queued: QueuedDelivery,
    integration: Integration,
    { logged, batch }: { logged: Logged; batch: BatchPorts },
  ): Promise<Consequence> => {
    const { delivery, receiveCount } = queued;
    const made = await ports.makeAttempt(delivery, integration, {
      number: delivery.priorAttempts + receiveCount,
      trigger: receiveCount === 1 ? firstTrigger(delivery) : 'backoff',
      nextDelayMs: (outcome, at) =>
        delayAfter(ports.backoff, queued, { outcome, at, random: ports.random() }),
      watch: (begun) => batch.watchAttempt(integration, begun),
    });
    const recording = record(made, { delivery, logged }, batch.writeLog);
    const settle = (recorded: MadeAttempt) =>
      settleAttempt({ queued, integration, made: recorded }, batch);
    // The next attempt of the delivery must find this one in the log.
    if (made.attempt.outcome.class !== 'delivered') return settle(await recording);
    const settling = settle(made);
    await Promise.allSettled([settling, recording]);
    return withRecorded(await settling, await recording);
  };

  return async (queued, batch) => {
    const { delivery, receiveCount } = queued;
    const [integration, { logged, backsOffAfter, ...fault }] = await Promise.all([
      batch.findIntegration(delivery.account, delivery.integration),
      readLogged(queued, batch),
    ]);
    if (integration === undefined || logged === 'delivered') {
      if (receiveCount > 1) await ports.pendingEvents.removeOf(delivery, queued);
      return { kind: 'dropped', because: integration ? 'delivered-before' : 'deleted' };
    }
    // An attempt of this message, and not only of an earlier message of the delivery.
    const attempts = receiveCount > 1 ? (backsOffAfter ?? 0) : 0;
    const backsOff = delivery.backsOff || attempts > delivery.priorAttempts;
    // The probes of a busy integration are its deliveries that back off.
    const isProbe = integration.trouble?.kind === 'busy' && backsOff;
    const goesOn = receiveCount === 1 && isReplayed(delivery) && canReplay(integration);
    if (!integration.active || (isStopped(integration) && !isProbe && !goesOn)) {
      return { ...fault, ...(await storeUnattempted(queued, { logged, batch })) };
    }
    if (ports.lane === 'fast' && laneOf(integration, ports.now()) === 'slow') {
      const isMoved = await moveToSlowLane(queued, integration, { backsOff });
      return { kind: isMoved ? 'moved' : 'outdated', ...fault };
    }
    return { ...(await attempt(queued, integration, { logged, batch })), ...fault };
  };
};

const withRecorded = (consequence: Consequence, made: MadeAttempt): Consequence =>
  consequence.kind === 'dropped' ? consequence : { ...consequence, made };

/**
 * Whether the endpoint has confirmed the delivery already, in an earlier receive whose process died
 * or by another message. Does not read for a new delivery of an event that was routed once, nor for
 * a `manual` one. After an error the delivery counts as not delivered.
 */
const readLogged = async (
  { delivery, receiveCount }: QueuedDelivery,
  { readLog }: Pick<BatchPorts, 'readLog'>,
): Promise<{ logged: Logged; backsOffAfter?: number; logFault?: unknown }> => {
  const isNew = receiveCount === 1 && delivery.trigger === 'event';
  if (isNew) return { logged: 'nothing' };
  if (delivery.trigger === 'manual') return { logged: 'unknown' };
  try {
    return await readLog(delivery);
  } catch (logFault) {
    return { logged: 'unknown', logFault };
  }
};

/** An event that was routed again is shown with the trigger of one that was routed once. */
const firstTrigger = ({ trigger, backsOff }: Delivery): Trigger => {
  if (backsOff) return 'backoff';
  return trigger === 'rerouted' ? 'event' : trigger;
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
    queued: QueuedDelivery,
    integration: Integration,
    { backsOff }: { backsOff: boolean },
  ): Promise<boolean> => {
    const { delivery, receiveCount, firstReceivedAt } = queued;
    const receivedAt = firstReceivedAt.toISOString();
    const latest = { lastAttemptAt: receivedAt };
    const hasSchedule =
      receiveCount === 1 ||
      integration.trouble !== undefined ||
      (await troubles.begin(integration, { kind: 'waiting' }, { latest }));
    if (!hasSchedule) return false;
    const wasReceived = { receiveCount, receivedAt, backsOff };
    await slowLane.enqueue([receiveCount === 1 ? delivery : receivedBefore(delivery, wasReceived)]);
    return true;
  };

const receivedBefore = (
  delivery: Delivery,
  {
    receiveCount,
    receivedAt,
    backsOff,
  }: { receiveCount: number; receivedAt: string; backsOff: boolean },
): Delivery => ({
  ...withAttempts(delivery, receiveCount - 1),
  ...(delivery.trigger === 'event' && { trigger: 'rerouted' }),
  // The log is not read for a resend, so it counts as backing off.
  ...((backsOff || delivery.trigger === 'manual') && {
    backingOffSince: delivery.backingOffSince ?? receivedAt,
  }),
  ...(backsOff && { trigger: isReplayed(delivery) ? 'replay' : 'backoff', backsOff }),
});
