import {
  canReplay,
  type Integration,
  type IntegrationReader,
  isStopped,
} from '../../integration/integration.ts';
import type { Trigger } from '../attempt.ts';
import { type Delivery, withAttempts } from '../delivery.ts';
import type { Logged } from '../delivery-log.ts';
import type { DeliveryQueue, QueuedDelivery, ReceivedDelivery } from '../delivery-queue.ts';
import { type Lane, laneOf, type WatchAttempt } from '../lanes.ts';
import { type BackoffPolicy, delayAfter } from './backoff.ts';
import type { Consequence, SettlingPorts } from './consequence.ts';
import { buildTakeBack } from './keep-event.ts';
import { type MakeAttempt, record, type WriteLog } from './make-attempt.ts';
import { type Reading, type ReadLog, readOrUnknown } from './read-log.ts';
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
    received: ReceivedDelivery,
    { logged, batch }: { logged: Logged; batch: BatchPorts },
  ): Promise<DeliveryResult> => {
    const { delivery, attempts } = received;
    const listing = logged === 'nothing' ? batch.listInLog(delivery) : Promise.resolve();
    const listed = listing.then(
      () => ({}),
      (listingFault: unknown) => ({ listingFault }),
    );
    await ports.storePending(withAttempts(delivery, attempts), received).finally(() => listed);
    return { kind: 'pending', ...(await listed) };
  };

  /** The next attempt of the delivery must find this one in the log. */
  const attempt = async (
    received: ReceivedDelivery,
    integration: Integration,
    { logged, batch }: { logged: Logged; batch: BatchPorts },
  ): Promise<Consequence> => {
    const { delivery, attempts } = received;
    const made = await ports.makeAttempt(delivery, integration, {
      number: delivery.priorAttempts + attempts + 1,
      trigger: attempts === 0 ? firstTrigger(delivery) : 'backoff',
      nextDelayMs: (outcome, at) =>
        delayAfter(ports.backoff, received, { outcome, at, random: ports.random() }),
      watch: (begun) => batch.watchAttempt(integration, begun),
    });
    const recorded = await record(made, { delivery, logged }, batch.writeLog);
    return settleAttempt({ queued: received, integration, made: recorded }, batch);
  };

  return async (queued, batch) => {
    const { delivery, receiveCount } = queued;
    const [integration, { logged, latestAttempt, ...fault }] = await Promise.all([
      batch.findIntegration(delivery.account, delivery.integration),
      readLogged(queued, batch),
    ]);
    const isConfirmed = logged === 'delivered' && delivery.trigger !== 'manual';
    if (integration === undefined || isConfirmed) {
      if (receiveCount > 1) {
        await ports.pendingEvents.removeOf(delivery, queued);
        if (integration !== undefined) await takeBack(delivery, integration);
      }
      return { kind: 'dropped', because: integration ? 'delivered-before' : 'deleted' };
    }
    const known = latestAttempt ? latestAttempt.number - delivery.priorAttempts : 0;
    const made = logged === 'unknown' ? receiveCount - 1 : Math.max(0, known);
    const received = { ...queued, attempts: receiveCount === 1 ? 0 : made };
    const backsOff =
      delivery.backsOff || (received.attempts > 0 && latestAttempt?.backsOff === true);
    // The probes of a busy integration are its deliveries that back off.
    const isProbe = integration.trouble?.kind === 'busy' && backsOff;
    const goesOn = received.attempts === 0 && isReplayed(delivery) && canReplay(integration);
    if (!integration.active || (isStopped(integration) && !isProbe && !goesOn)) {
      return { ...fault, ...(await storeUnattempted(received, { logged, batch })) };
    }
    if (ports.lane === 'fast' && laneOf(integration, ports.now()) === 'slow') {
      const isMoved = await moveToSlowLane(received, integration, { backsOff });
      return { kind: isMoved ? 'moved' : 'outdated', ...fault };
    }
    return { ...(await attempt(received, integration, { logged, batch })), ...fault };
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
    { delivery, receiveCount, attempts, firstReceivedAt }: ReceivedDelivery,
    integration: Integration,
    { backsOff }: { backsOff: boolean },
  ): Promise<boolean> => {
    const receivedAt = firstReceivedAt.toISOString();
    const latest = { lastAttemptAt: receivedAt };
    const hasSchedule =
      receiveCount === 1 ||
      integration.trouble !== undefined ||
      (await troubles.begin(integration, { kind: 'waiting' }, { latest }));
    if (!hasSchedule) return false;
    const wasReceived = { attempts, receivedAt, backsOff };
    await slowLane.enqueue([receiveCount === 1 ? delivery : receivedBefore(delivery, wasReceived)]);
    return true;
  };

const receivedBefore = (
  delivery: Delivery,
  { attempts, receivedAt, backsOff }: { attempts: number; receivedAt: string; backsOff: boolean },
): Delivery => ({
  ...withAttempts(delivery, attempts),
  ...(delivery.trigger === 'event' && { trigger: 'rerouted' }),
  ...(backsOff && { backsOff, backingOffSince: delivery.backingOffSince ?? receivedAt }),
  ...(backsOff &&
    delivery.trigger !== 'manual' && {
      trigger: isReplayed(delivery) ? 'replay' : 'backoff',
    }),
});
