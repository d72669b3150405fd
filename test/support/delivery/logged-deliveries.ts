import { type Attempt, classify, type Trigger } from '../../../core/delivery/attempt.ts';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryQueue } from '../../../core/delivery/delivery-queue.ts';
import type { Pace } from '../../../core/delivery/pending/replay-requests.ts';
import { buildRunReplay } from '../../../core/delivery/pending/run-replay.ts';
import { late } from '../called-ports.ts';
import { A_MESSAGE, aDelivery } from '../event/platform-events.ts';
import { anIntegration } from '../integration/integrations.ts';
import { untouchable } from '../untouchable.ts';
import { CONFIRMING } from './confirming-log.ts';
import { InMemoryDeliveryQueue } from './in-memory-delivery-queue.ts';
import { inMemoryParts, type Stored } from './in-memory-ports.ts';
import {
  OF_INTEGRATION,
  testAndRecoverOf,
  testAndRecoverParts,
} from './recovery/test-and-recover-parts.ts';
import { answered } from './scripted-webhook-endpoint.ts';

export const NOON = new Date('2026-11-20T12:00:00.000Z');

/** Of an event so many seconds after noon. */
export const deliveryAt = (second: number, id = `evt_${second}`): Delivery =>
  aDelivery({
    event: {
      id,
      type: 'message.received',
      occurredAt: new Date(NOON.getTime() + second * 1_000).toISOString(),
    },
    body: `{"of":"${id}"}`,
  });

/** One for each second from noon. */
export const deliveriesAt = (seconds: number): Delivery[] =>
  Array.from({ length: seconds }, (_, second) => deliveryAt(second));

export const attemptOf = (
  { account, integration, event }: Delivery,
  statusCode: number,
  {
    number = 1,
    trigger = 'event' as Trigger,
    nextAttemptAt,
  }: { number?: number; trigger?: Trigger; nextAttemptAt?: Date } = {},
): Attempt => ({
  account,
  integration,
  event,
  number,
  trigger,
  startedAt: new Date(Date.parse(event.occurredAt) + number * 1_000),
  durationMs: 40,
  outcome: classify(answered(statusCode)),
  ...(nextAttemptAt && { nextAttemptAt }),
});

export const always = () => true;

/** Says so many times that there is time. */
export const timeFor = (times: number) => {
  let left = times;
  return () => {
    left -= 1;
    return left >= 0;
  };
};

/** A recovery: by default of three deliveries without an attempt, of a healthy integration. */
export const aRecovery = async ({
  stored = anIntegration() as Stored,
  opened = deliveriesAt(3),
  attempts = [] as Attempt[],
  pending = [] as Delivery[],
} = {}) => {
  const parts = testAndRecoverParts({ stored });
  await parts.log.list(opened);
  for (const attempt of attempts) await parts.log.record(attempt);
  for (const delivery of pending) await parts.pendingEvents.put(delivery, A_MESSAGE);
  return { ...parts, parts, ...testAndRecoverOf(parts) };
};

/** The event of a second after noon, attempted once. */
export const eventOf = (second: number): Delivery => ({ ...deliveryAt(second), priorAttempts: 1 });
export const eventsOf = (seconds: number): Delivery[] =>
  Array.from({ length: seconds }, (_, second) => eventOf(second));

/** The pace of a replay that goes on with all events. */
export const OPEN: Pace = {
  size: 10_000,
  left: 10_000,
  usual: { answers: 20, refused: 0 },
  sampled: [],
};

/**
 * Of one integration, by default without trouble, whose events were stored in the order given, and
 * whose endpoint confirms every delivery.
 */
export const aReplay = async ({
  stored = anIntegration() as Stored,
  pending = eventsOf(3),
  deliveries = new InMemoryDeliveryQueue() as DeliveryQueue,
  slowLane = untouchable<DeliveryQueue>('the slow lane'),
  deliveryLog = CONFIRMING,
  now = () => NOON,
} = {}) => {
  const { integrations, pendingEvents, replays } = inMemoryParts(stored);
  for (const delivery of pending) await pendingEvents.put(delivery, A_MESSAGE);
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
  };
  const ports = {
    ...{ integrations, states: integrations, pendingEvents, deliveries, slowLane, replays },
    ...{ deliveryLog, pause, now, retryIntervalMs: 3_600_000 },
  };
  const states = late(integrations);
  const replay = buildRunReplay({
    ...{ ...ports, integrations: states, states, pendingEvents: late(pendingEvents) },
    ...{ deliveries: late(deliveries), slowLane: late(slowLane), replays: late(replays) },
  });
  const pendingOf = () => pendingEvents.of(OF_INTEGRATION.id);
  return { replay, ...ports, pauses, pendingOf };
};
