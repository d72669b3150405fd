import type { Integration } from '../../integration/integration.ts';
import { type Delivery, withAttempts } from '../delivery.ts';
import type { DeliveryQueue, QueuedDelivery } from '../delivery-queue.ts';
import { isFastAgain, isToBeNoted } from '../lanes.ts';
import type { AwaitReplay, StoreWaiting } from '../trouble/store-waiting.ts';
import type { TroubleStates } from '../trouble/troubles.ts';
import type { MadeAttempt } from './make-attempt.ts';
import type { SlotStore, TakeSlot } from './slots.ts';

/**
 * - `moved`: the delivery is in the slow lane now.
 * - `deferred`: the integration has attempts enough; the delivery comes back after a delay.
 */
export type LaneResult =
  | { readonly kind: 'moved' }
  | { readonly kind: 'deferred' }
  | { readonly kind: 'pending'; readonly made?: undefined };

export interface SlowLanePorts {
  slowLane: DeliveryQueue;
  states: Pick<TroubleStates, 'noteSlow' | 'clearSlow'>;
  awaitReplay: AwaitReplay;
  slots: SlotStore;
  takeSlot: TakeSlot;
  storeWaiting: StoreWaiting;
  /** Resolves to true once an attempt is slow, to false if it ends before. */
  isSlow: (attempt: Promise<unknown>) => Promise<boolean>;
  now: () => Date;
  /** How many attempts of one integration the slow lane makes at once. */
  slowAttempts: number;
}

type RequeuePorts = Pick<SlowLanePorts, 'slowLane' | 'awaitReplay'>;

/** Longer than an attempt takes: then the slot of a process that died is free again. */
const ATTEMPT_SLOT_MS = 30_000;
const FIRST_DEFERRAL_MS = 5_000;
/** After eight deferrals, twenty minutes, the delivery is pending until the hourly schedule. */
const MAX_DEFERRALS = 8;

/**
 * Puts the delivery of a message into the slow lane, as a new message: the queue forgets receives,
 * so the delivery takes them along.
 */
const buildRequeue =
  ({ slowLane, awaitReplay }: RequeuePorts) =>
  async (
    queued: QueuedDelivery,
    integration: Integration,
    { deferrals, delayMs }: { deferrals?: number; delayMs?: number } = {},
  ): Promise<void> => {
    const { delivery, receiveCount, firstReceivedAt } = queued;
    const wasReceived = receiveCount > 1;
    const again: Delivery = {
      ...withAttempts(delivery, receiveCount - 1),
      deferrals,
      ...(wasReceived && {
        trigger: delivery.trigger === 'manual' ? 'manual' : 'backoff',
        backingOffSince: delivery.backingOffSince ?? firstReceivedAt.toISOString(),
      }),
    };
    await slowLane.enqueue([again], { ...(delayMs !== undefined && { delayMs }) });
    // An earlier receive may have stored the delivery as pending and died: the copy is replayed, and
    // is not removed, because another worker that has the message may have stored the delivery.
    if (wasReceived) await awaitReplay(integration);
  };

export const buildMoveToSlowLane = (ports: RequeuePorts) => {
  const requeue = buildRequeue(ports);
  return async (queued: QueuedDelivery, integration: Integration): Promise<LaneResult> => {
    await requeue(queued, integration);
    return { kind: 'moved' };
  };
};

/**
 * Makes an attempt in the slow lane if the integration has an attempt slot free; else defers the
 * delivery. A deferred message is not in flight, so an endpoint that takes less than it gets fills
 * no queue.
 */
export const buildAttemptInSlowLane = (ports: SlowLanePorts) => {
  const requeue = buildRequeue(ports);
  const defer = async (queued: QueuedDelivery, integration: Integration): Promise<LaneResult> => {
    const { delivery } = queued;
    const deferrals = delivery.deferrals ?? 0;
    if (deferrals >= MAX_DEFERRALS) {
      await ports.storeWaiting({ ...delivery, deferrals: undefined }, integration, queued);
      return { kind: 'pending' };
    }
    const delayMs = FIRST_DEFERRAL_MS * 2 ** deferrals;
    await requeue(queued, integration, { deferrals: deferrals + 1, delayMs });
    return { kind: 'deferred' };
  };

  return async <Result>(
    queued: QueuedDelivery,
    integration: Integration,
    attempt: () => Promise<Result>,
  ): Promise<Result | LaneResult> => {
    const now = ports.now();
    const slot = await ports.takeSlot(integration, {
      kind: 'attempt',
      limit: ports.slowAttempts,
      now,
      until: new Date(now.getTime() + ATTEMPT_SLOT_MS),
    });
    if (slot === undefined) return defer(queued, integration);
    try {
      return await attempt();
    } finally {
      // A slot that is not freed is free again by the clock.
      await ports.slots.freeSlot(integration, slot).catch(() => {});
    }
  };
};

/**
 * Watches an attempt while it is made, and notes on the integration that it is slow, or is fast
 * again. A process that dies before leaves the integration in the lane where it is.
 */
export const buildWatchAttempt =
  (ports: Pick<SlowLanePorts, 'states' | 'isSlow' | 'now'>) =>
  async (integration: Integration, attempt: Promise<MadeAttempt>): Promise<MadeAttempt> => {
    const noting = ports.isSlow(attempt).then(async (isSlow) => {
      const now = ports.now();
      if (isSlow && isToBeNoted(integration, now)) await ports.states.noteSlow(integration, now);
    });
    const [made] = await Promise.all([attempt, noting.catch(() => {})]);
    const { slowAt } = integration;
    if (slowAt !== undefined && isFastAgain(integration, made.attempt, ports.now())) {
      await ports.states.clearSlow(integration, slowAt).catch(() => {});
    }
    return made;
  };
