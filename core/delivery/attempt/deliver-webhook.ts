import type { IntegrationStore } from '../../integration/integration.ts';
import type { Outcome, Trigger } from '../attempt.ts';
import { type Delivery, withAttempts } from '../delivery.ts';
import type { KnownLogged, Logged } from '../delivery-log.ts';
import type { QueuedDelivery } from '../delivery-queue.ts';
import { type Lane, laneOf } from '../lanes.ts';
import type { PendingEvents } from '../pending/pending-events.ts';
import type { SetAsideEvents } from '../pending/set-aside-events.ts';
import type { RetrySchedules } from '../trouble/retry-schedules.ts';
import { buildAwaitReplay, buildStoreWaiting } from '../trouble/store-waiting.ts';
import type { TroubleStates } from '../trouble/troubles.ts';
import { type BackoffPolicy, nextDelayMs, retryAfterMs } from './backoff.ts';
import { type MadeAttempt, type MakeAttempt, record, type WriteLog } from './make-attempt.ts';
import { buildSetAside, buildTakeBack } from './set-aside.ts';
import { buildSettleAttempt, type Consequence, type SettleAttemptPorts } from './settle-attempt.ts';
import { buildTakeSlot, type SlotStore } from './slots.ts';
import {
  buildAttemptInSlowLane,
  buildMoveToSlowLane,
  buildWatchAttempt,
  type LaneResult,
  type SlowLanePorts,
} from './slow-lane.ts';

type FindIntegration = IntegrationStore['find'];

/**
 * `logFault`: the error of the delivery log when asked what it has of the delivery. `listingFault`:
 * its error when a delivery that was not attempted was to be listed.
 */
export type DeliveryResult = (Consequence | LaneResult) & {
  readonly logFault?: unknown;
  readonly listingFault?: unknown;
};

/** What the deliveries of a batch have in common. Calls are gathered into few calls of AWS. */
export interface BatchPorts {
  readonly findIntegration: FindIntegration;
  readonly readLog: (delivery: Delivery) => Promise<KnownLogged>;
  readonly writeLog: WriteLog;
  /** Lists a delivery without an attempt in the log, if the log has nothing of it. */
  readonly listInLog: (delivery: Delivery) => Promise<void>;
}

export type DeliverWebhook = (queued: QueuedDelivery, batch: BatchPorts) => Promise<DeliveryResult>;

type BuiltHere = 'takeSlot' | 'storeWaiting' | 'setAside' | 'takeBack';

interface Ports
  extends Omit<SettleAttemptPorts, BuiltHere>,
    Pick<SlowLanePorts, 'slowLane' | 'isSlow' | 'now' | 'slowAttempts'> {
  /** The lane whose messages come here. */
  lane: Lane;
  makeAttempt: MakeAttempt;
  slots: SlotStore;
  schedules: Pick<RetrySchedules, 'ensure'>;
  states: SettleAttemptPorts['states'] &
    SlowLanePorts['states'] &
    Pick<TroubleStates, 'awaitReplay' | 'countSetAside'>;
  setAsideEvents: SetAsideEvents;
  pendingEvents: Pick<PendingEvents, 'put' | 'removeOf'>;
  backoff: BackoffPolicy;
  /** Uniform in [0, 1). */
  random: () => number;
}

/**
 * Makes one attempt of the delivery in a message of the deliveries queue, or stores the delivery as
 * pending, or drops it. Throws when a port fails: the message then comes back after its visibility
 * timeout.
 */
export const buildDeliverWebhook = (ports: Ports): DeliverWebhook => {
  const awaitReplay = buildAwaitReplay(ports);
  const shared = {
    ...ports,
    awaitReplay,
    takeSlot: buildTakeSlot(ports),
    storeWaiting: buildStoreWaiting({ ...ports, awaitReplay }),
  };
  const moveToSlowLane = buildMoveToSlowLane(shared);
  const attemptInSlowLane = buildAttemptInSlowLane(shared);
  const watchAttempt = buildWatchAttempt(ports);
  const settleAttempt = buildSettleAttempt({
    ...shared,
    setAside: buildSetAside(ports),
    takeBack: buildTakeBack(ports),
  });
  return async (queued, batch) => {
    const { delivery, receiveCount } = queued;
    const [integration, { logged, ...fault }] = await Promise.all([
      batch.findIntegration(delivery.account, delivery.integration),
      whatIsLogged(queued, batch),
    ]);
    if (integration === undefined || logged === 'delivered') {
      if (receiveCount > 1) await ports.pendingEvents.removeOf(delivery, queued);
      return { kind: 'dropped', because: integration ? 'delivered-before' : 'deleted' };
    }
    const list = async () => (logged === 'nothing' ? listed(delivery, batch) : {});
    // The probes of a busy integration are the messages that are backing off.
    const isProbe = integration.trouble?.kind === 'busy' && receiveCount > 1;
    if (!integration.active || (integration.trouble && !isProbe)) {
      const listing = list();
      const storing = ports.storePending(withAttempts(delivery, receiveCount - 1), queued);
      await storing.finally(() => listing);
      return { kind: 'pending', ...fault, ...(await listing) };
    }
    const attempt = async (): Promise<Consequence> => {
      const made = await ports.makeAttempt(delivery, integration, {
        number: delivery.priorAttempts + receiveCount,
        trigger: receiveCount === 1 ? firstTrigger(delivery) : 'backoff',
        nextDelayMs: (outcome, at) => delayAfter(queued, { outcome, at }, ports),
        watch: (attempt) => watchAttempt(integration, attempt),
      });
      const recording = record(made, { delivery, logged }, batch.writeLog);
      const settle = (recorded: MadeAttempt) => settleAttempt(queued, integration, recorded);
      // Whoever attempts the delivery next must find this attempt in the log.
      if (made.attempt.outcome.class !== 'delivered') return settle(await recording);
      const settling = settle(made);
      await Promise.allSettled([settling, recording]);
      return withRecorded(await settling, await recording);
    };
    if (ports.lane === 'slow') {
      const result = await attemptInSlowLane(queued, integration, attempt);
      const isFirstDeferral = result.kind === 'deferred' && delivery.deferrals === undefined;
      return { ...result, ...fault, ...(isFirstDeferral && (await list())) };
    }
    const isSlow = laneOf(integration, ports.now()) === 'slow';
    return { ...(await (isSlow ? moveToSlowLane(queued, integration) : attempt())), ...fault };
  };
};

const withRecorded = (consequence: Consequence, made: MadeAttempt): Consequence =>
  consequence.kind === 'dropped' ? consequence : { ...consequence, made };

/**
 * What the log has of the delivery. The endpoint may have confirmed the delivery already: in an
 * earlier receive whose process died before the message was deleted, or by another message of the
 * same delivery. Before an attempt the log is not asked about a new delivery of an event that was
 * routed once, nor about a `manual` delivery, which is sent even if it was delivered. If the log
 * cannot be read, the delivery is taken as not delivered.
 */
const whatIsLogged = async (
  { delivery, receiveCount }: QueuedDelivery,
  { readLog }: Pick<BatchPorts, 'readLog'>,
): Promise<{ logged: Logged; logFault?: unknown }> => {
  const isNew = receiveCount === 1 && delivery.trigger === 'event';
  if (isNew) return { logged: 'nothing' };
  if (delivery.trigger === 'manual') return { logged: 'unknown' };
  try {
    return { logged: await readLog(delivery) };
  } catch (logFault) {
    return { logged: 'unknown', logFault };
  }
};

/**
 * Lists a delivery before its first attempt, so that the log shows what waits. The platform may have
 * sent the event twice: an earlier delivery of the event stays in the log. Never throws.
 */
const listed = async (
  delivery: Delivery,
  { listInLog }: Pick<BatchPorts, 'listInLog'>,
): Promise<{ listingFault?: unknown }> => {
  try {
    await listInLog(delivery);
    return {};
  } catch (listingFault) {
    return { listingFault };
  }
};

/** Integrators see the same trigger, whether the event was routed once or again. */
const firstTrigger = ({ trigger }: Delivery): Trigger =>
  trigger === 'rerouted' ? 'event' : trigger;

/** The backoff in milliseconds; undefined unless the outcome is transient within the window. */
const delayAfter = (
  { delivery, firstReceivedAt, receiveCount }: QueuedDelivery,
  { outcome, at }: { outcome: Outcome; at: Date },
  { random, backoff }: Pick<Ports, 'random' | 'backoff'>,
): number | undefined => {
  if (outcome.class !== 'transient') return undefined;
  const { result } = outcome;
  const { backingOffSince, priorAttempts } = delivery;
  const isResumed = backingOffSince !== undefined;
  const firstAt = isResumed ? Date.parse(backingOffSince) : firstReceivedAt.getTime();
  return nextDelayMs(backoff, {
    number: isResumed ? priorAttempts + receiveCount : receiveCount,
    sinceFirstMs: at.getTime() - firstAt,
    retryAfterMs: result.kind === 'answered' ? retryAfterMs(result.retryAfter, at) : undefined,
    random: random(),
  });
};
