import type { SQSRecord } from 'aws-lambda';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryLog } from '../../../core/delivery/delivery-log.ts';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import { buildWatchBatch } from '../../../core/delivery/lanes.ts';
import { buildStorePending } from '../../../core/delivery/pending/store-pending.ts';
import { buildDeliverWebhook } from '../../../core/delivery/sending/deliver-webhook.ts';
import {
  buildMakeAttempt,
  type WebhookEndpoint,
} from '../../../core/delivery/sending/make-attempt.ts';
import { buildTroubles } from '../../../core/delivery/trouble/troubles.ts';
import type { IntegrationReader } from '../../../core/integration/integration.ts';
import { createHandler } from '../../../lambdas/consumers/deliver-webhook/handler.ts';
import type { AttemptLines } from '../../../lambdas/runtime/environment.ts';
import { InMemoryDeliveryLog } from '../delivery/in-memory-delivery-log.ts';
import { InMemoryDeliveryQueue } from '../delivery/in-memory-delivery-queue.ts';
import { InMemoryPendingEvents } from '../delivery/pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../delivery/pending/in-memory-replay-requests.ts';
import { InMemorySetAsideEvents } from '../delivery/pending/in-memory-set-aside-events.ts';
import { answered, ScriptedWebhookEndpoint } from '../delivery/scripted-webhook-endpoint.ts';
import { InMemorySlots } from '../delivery/sending/in-memory-slots.ts';
import { InMemoryRetrySchedules } from '../delivery/trouble/in-memory-retry-schedules.ts';
import { aDelivery, anEventReference } from '../event/platform-events.ts';
import { InMemoryIntegrations } from '../integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../integration/in-memory-secrets.ts';
import { anIntegration } from '../integration/integrations.ts';
import { untouchable } from '../untouchable.ts';
import { aBatch, deliveryRecord, InMemoryMessageVisibility, queueDeps } from './queue-functions.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** The function that delivers webhooks over memory; by default there is one active integration. */
export const aDeliveringHandler = ({
  integrations = new InMemoryIntegrations(anIntegration()),
  store = integrations as Pick<IntegrationReader, 'findAll'>,
  endpoint = new ScriptedWebhookEndpoint() as WebhookEndpoint,
  deliveryLog = new InMemoryDeliveryLog() as DeliveryLog,
  deadLetters = untouchable<DeadLetters>('the dead-letter queue'),
  visibility = new InMemoryMessageVisibility(),
  busyAfter = 20,
  attemptLines = 'all' as AttemptLines,
  now = () => NOON,
} = {}) => {
  const pendingEvents = new InMemoryPendingEvents();
  const setAsideEvents = new InMemorySetAsideEvents();
  const slowLane = new InMemoryDeliveryQueue();
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  const states = integrations;
  const deps = queueDeps({ visibility, now });
  const deliverWebhook = buildDeliverWebhook({
    makeAttempt: buildMakeAttempt({
      secrets: new InMemorySecrets(),
      endpoint,
      now,
      userAgent: 'Service-Webhooks/1.2.3',
    }),
    storePending: buildStorePending({ pendingEvents, integrations, replays }),
    troubles: buildTroubles({
      integrations,
      states,
      schedules,
      replays,
      now,
      retryIntervalMs: 3_600_000,
    }),
    states,
    pendingEvents,
    setAsideEvents,
    backoff: { firstDelayMs: 15_000, maxDelayMs: 3_600_000, windowMs: 43_200_000 },
    busyAfter,
    failedAfter: 20,
    retryIntervalMs: 3_600_000,
    backoffLimits: { most: 50, probes: 3 },
    lane: 'fast',
    slowLane,
    now,
    slots: new InMemorySlots(),
    replays,
    integrations,
    random: () => 0.5,
  });
  const handler = createHandler({
    ...deps,
    deliverWebhook,
    watchBatch: buildWatchBatch({
      integrations,
      states,
      isSlow: async () => false,
      now,
      random: () => 0.5,
    }),
    integrations: store,
    deliveryLog,
    deadLetters,
    attemptLines,
  });
  const deliver = (...records: SQSRecord[]) => handler(aBatch(...records));
  return { deliver, pendingEvents, schedules, ...deps };
};

/** The message of an event's delivery; its id is the id of the event. */
export const recordOf = (
  event: string,
  { receiveCount = 1, ...wishes }: Partial<Delivery> & { receiveCount?: number } = {},
) =>
  deliveryRecord(event, aDelivery({ event: anEventReference(event), ...wishes }), { receiveCount });

/** Answers with the status code that the id of the event begins with. */
export const answeringById = () =>
  new ScriptedWebhookEndpoint(({ headers }) =>
    answered(Number(headers['webhook-id']?.split('/').at(-1)?.slice(0, 3))),
  );

export const answering = (statusCode: number) =>
  new ScriptedWebhookEndpoint(() => answered(statusCode));

export const throttled = () => Promise.reject(new Error('throttled'));
