import { classify, type PostResult } from '../../../../core/delivery/attempt.ts';
import type { Backoff, Delivery } from '../../../../core/delivery/delivery.ts';
import type { QueuedDelivery } from '../../../../core/delivery/delivery-queue.ts';
import type { Lane } from '../../../../core/delivery/lanes.ts';
import { buildDelivering } from '../../../../core/delivery/sending/delivering.ts';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import type { Streak, Trouble } from '../../../../core/integration/integration.ts';
import type { SecretOpener } from '../../../../core/integration/signing-secrets.ts';
import { late, type Through } from '../../called-ports.ts';
import { dyingAfter } from '../../dying-process.ts';
import { A_MESSAGE, aDelivery } from '../../event/platform-events.ts';
import { InMemorySecrets } from '../../integration/in-memory-secrets.ts';
import { anIntegration } from '../../integration/integrations.ts';
import { untouchable } from '../../untouchable.ts';
import { anAttempt } from '../attempts.ts';
import type { InMemoryDeliveryLog } from '../in-memory-delivery-log.ts';
import { inMemoryParts, portsOver, type Stored } from '../in-memory-ports.ts';
import { answered, ScriptedWebhookEndpoint } from '../scripted-webhook-endpoint.ts';
import type { InMemorySlotStore } from './in-memory-slot-store.ts';

export const NOON = new Date('2026-11-20T12:00:00.000Z');
export const WINDOW_MS = 43_200_000;
export const INTEGRATION = anIntegration().id;
export const SCHEDULE = { account: 'acme', id: INTEGRATION, epoch: 3 };

export const trouble = (kind: Trouble['kind']): Trouble => ({
  kind,
  since: '2026-11-20T11:30:00.000Z',
  statusCode: 500,
  lastAttemptAt: '2026-11-20T11:30:00.000Z',
  nextAttemptAt: '2026-11-20T12:30:00.000Z',
});
export const UNTROUBLED = anIntegration({ epoch: 3 });
/** Begun half a minute before noon. */
export const streak = (counts: Partial<Streak>): Streak => ({
  since: '2026-11-20T11:59:30.000Z',
  transients: 0,
  refusals: 0,
  ...counts,
});
export const BUSY = anIntegration({
  epoch: 3,
  streak: streak({ transients: 20 }),
  trouble: trouble('busy'),
});
export const WAITING = anIntegration({ epoch: 3, trouble: trouble('waiting') });
export const FAILED = anIntegration({ epoch: 3, trouble: trouble('failed') });

export const queued = (receiveCount = 1, overrides: Partial<Delivery> = {}) => ({
  ...A_MESSAGE,
  delivery: aDelivery(overrides),
  receiveCount,
  firstReceivedAt: NOON,
});

export const POLICY = {
  backoff: { firstDelayMs: 15_000, maxDelayMs: 3_600_000, windowMs: WINDOW_MS },
  busyAfter: 20,
  failedAfter: 20,
  retryIntervalMs: 3_600_000,
  backoffLimits: { most: 50, probes: 3 },
  lane: 'fast',
} as const;

/**
 * A deliverer over memory with one integration, at noon, where chance changes no delay;
 * `deliverDyingAfter` is the same of a process that dies. `reached` replaces ports of the use case.
 */
export const aDeliverer = ({
  stored = UNTROUBLED as Stored,
  endpoint = untouchable<WebhookEndpoint>('the endpoint'),
  secrets = new InMemorySecrets() as SecretOpener,
  random = 0.5,
  now = () => NOON,
  lane = 'fast' as Lane,
  isSlow = async (_attempt: Promise<unknown>) => false,
  reached = {},
} = {}) => {
  const parts = inMemoryParts(stored);
  const deliverThrough = (through: Through) => {
    const ports = {
      ...portsOver(parts, { endpoint, secrets, now, through, random }),
      isSlow,
      ...reached,
    };
    return buildDelivering({ ...ports, afterStoring: ports }, { ...POLICY, lane });
  };
  const startBatch = deliverThrough(late);
  const deliver = (message: QueuedDelivery = queued()) => startBatch().deliver(message);
  return {
    ...parts,
    deliver,
    startBatch,
    /** Delivers a message whose earlier receive ended with a transient outcome. */
    deliverAgain: async (message: QueuedDelivery) => {
      await logBackingOff(parts, message);
      return deliver(message);
    },
    deliverDyingAfter:
      (calls: number) =>
      (message: QueuedDelivery = queued()) =>
        deliverThrough(dyingAfter(calls))().deliver(message),
  };
};

/** By default that of a delivery which was attempted at noon and then pending. */
export const backoff = (overrides: Partial<Backoff> = {}): Backoff => ({
  since: NOON.toISOString(),
  attempts: 1,
  hasSlot: false,
  ...overrides,
});

/** Takes an integration's first slots until a minute after noon. */
export const takeSlots = async (slots: InMemorySlotStore, count: number): Promise<void> => {
  const until = NOON.getTime() + 60_000;
  for (let slot = 0; slot < count; slot += 1) {
    await slots.takeSlot(UNTROUBLED, { slot: `backoff${slot}`, now: 0, until });
  }
};

export const answering = (...[statusCode, retryAfter]: [number, string?]) =>
  new ScriptedWebhookEndpoint(() => ({ ...answered(statusCode), retryAfter }) as PostResult);

export const secondsBeforeNoon = (seconds: number): Date =>
  new Date(NOON.getTime() - seconds * 1_000);

/** The delivery of a message that was attempted when it was first received, with a transient outcome. */
export const logBackingOff = (
  { log }: { log: InMemoryDeliveryLog },
  { delivery, receiveCount, firstReceivedAt }: QueuedDelivery,
): Promise<unknown> =>
  log.write([
    {
      delivery,
      logged: 'nothing',
      attempt: anAttempt({
        event: delivery.event,
        number: delivery.priorAttempts + receiveCount - 1,
        startedAt: firstReceivedAt,
        outcome: classify(answered(504)),
        nextAttemptAt: NOON,
      }),
    },
  ]);

/** The result of an attempt at noon that is repeated so many seconds later. */
export const backingOff = (seconds: number) => ({
  kind: 'backing-off',
  nextAttemptAt: secondsBeforeNoon(-seconds),
});
