import { buildDeliverWebhook } from '../../../../core/delivery/attempt/deliver-webhook.ts';
import {
  buildMakeAttempt,
  type WebhookEndpoint,
} from '../../../../core/delivery/attempt/make-attempt.ts';
import type { PostResult } from '../../../../core/delivery/attempt.ts';
import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { Lane } from '../../../../core/delivery/lanes.ts';
import { buildStorePending } from '../../../../core/delivery/pending/pending-events.ts';
import { buildTroubles } from '../../../../core/delivery/trouble/troubles.ts';
import type { Trouble } from '../../../../core/integration/integration.ts';
import type { SecretOpener } from '../../../../core/integration/stored-secrets.ts';
import { A_MESSAGE, aDelivery } from '../../event/platform-events.ts';
import { InMemoryIntegrations } from '../../integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../../integration/in-memory-secrets.ts';
import { anIntegration } from '../../integration/integrations.ts';
import { untouchable } from '../../untouchable.ts';
import { batchPorts } from '../batch-ports.ts';
import { InMemoryDeliveryLog } from '../in-memory-delivery-log.ts';
import { InMemoryDeliveryQueue } from '../in-memory-delivery-queue.ts';
import { InMemoryPendingEvents } from '../pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../pending/in-memory-replay-requests.ts';
import { InMemorySetAsideEvents } from '../pending/in-memory-set-aside-events.ts';
import { answered, ScriptedWebhookEndpoint } from '../scripted-webhook-endpoint.ts';
import { InMemoryRetrySchedules } from '../trouble/in-memory-retry-schedules.ts';

export const NOON = new Date('2026-11-20T12:00:00.000Z');
export const ONE_O_CLOCK = '2026-11-20T13:00:00.000Z';
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
export const BUSY = anIntegration({ epoch: 3, transients: 20, trouble: trouble('busy') });
export const FAILED = anIntegration({ epoch: 3, trouble: trouble('failed') });

export const queued = (receiveCount = 1, wishes: Partial<Delivery> = {}) => ({
  ...A_MESSAGE,
  delivery: aDelivery(wishes),
  receiveCount,
  firstReceivedAt: NOON,
});

/** A deliverer over memory with one integration, at noon, where chance changes no delay. */
export const aDeliverer = ({
  stored = UNTROUBLED,
  endpoint = untouchable<WebhookEndpoint>('the endpoint'),
  secrets = new InMemorySecrets() as SecretOpener,
  random = 0.5,
  now = () => NOON,
  lane = 'fast' as Lane,
  isSlow = async (_attempt: Promise<unknown>) => false,
} = {}) => {
  const integrations = new InMemoryIntegrations(stored);
  const states = integrations;
  const pendingEvents = new InMemoryPendingEvents();
  const setAsideEvents = new InMemorySetAsideEvents();
  const slowLane = new InMemoryDeliveryQueue();
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  const deliveryLog = new InMemoryDeliveryLog();
  const deliverWebhook = buildDeliverWebhook({
    makeAttempt: buildMakeAttempt({
      secrets,
      endpoint,
      now,
      userAgent: 'test',
    }),
    storePending: buildStorePending({ pendingEvents, integrations, replays }),
    troubles: buildTroubles({ states, schedules, replays, now, retryIntervalMs: 3_600_000 }),
    states,
    pendingEvents,
    setAsideEvents,
    backoff: { firstDelayMs: 15_000, maxDelayMs: 3_600_000, windowMs: WINDOW_MS },
    busyAfter: 20,
    backoffLimits: { most: 50, probes: 3 },
    lane,
    slowLane,
    isSlow,
    slowAttempts: 10,
    now,
    slots: integrations,
    schedules,
    integrations,
    random: () => random,
  });
  const deliver = (message = queued()) =>
    deliverWebhook(
      message,
      batchPorts((account, id) => integrations.find(account, id), deliveryLog),
    );
  return {
    deliver,
    deliveryLog,
    integrations,
    pendingEvents,
    setAsideEvents,
    slowLane,
    schedules,
    replays,
  };
};

export const answering = (...[statusCode, retryAfter]: [number, string?]) =>
  new ScriptedWebhookEndpoint(() => ({ ...answered(statusCode), retryAfter }) as PostResult);

export const secondsBeforeNoon = (seconds: number): Date =>
  new Date(NOON.getTime() - seconds * 1_000);

/** What comes of an attempt at noon that is made again so many seconds later. */
export const backingOff = (seconds: number) => ({
  kind: 'backing-off',
  nextAttemptAt: secondsBeforeNoon(-seconds),
});
