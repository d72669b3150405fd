import { setTimeout } from 'node:timers/promises';
import type { SQSRecord } from 'aws-lambda';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { DeliveryLog } from '../../../core/delivery/delivery-log.ts';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import { buildDelivering } from '../../../core/delivery/sending/delivering.ts';
import type { WebhookEndpoint } from '../../../core/delivery/sending/make-attempt.ts';
import type { IntegrationReader } from '../../../core/integration/integration.ts';
import { createHandler } from '../../../lambdas/consumers/deliver-webhook/handler.ts';
import type { AttemptLines } from '../../../lambdas/runtime/environment.ts';
import { InMemoryDeliveryLog } from '../delivery/in-memory-delivery-log.ts';
import { InMemoryDeliveryQueue } from '../delivery/in-memory-delivery-queue.ts';
import { InMemoryPendingEvents } from '../delivery/pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../delivery/pending/in-memory-replay-requests.ts';
import { InMemorySetAsideEvents } from '../delivery/pending/in-memory-set-aside-events.ts';
import { answered, ScriptedWebhookEndpoint } from '../delivery/scripted-webhook-endpoint.ts';
import { InMemorySlotStore } from '../delivery/sending/in-memory-slot-store.ts';
import { POLICY } from '../delivery/sending/troubled-deliverer.ts';
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
  sendsTraceparent = false,
  now = () => NOON,
} = {}) => {
  const pendingEvents = new InMemoryPendingEvents();
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  const deps = queueDeps({ visibility, now });
  const startBatch = buildDelivering(
    {
      endpoint,
      sendsTraceparent,
      secrets: new InMemorySecrets(),
      userAgent: 'Service-Webhooks/1.2.3',
      integrations: {
        find: (...key) => integrations.find(...key),
        findAll: (keys) => store.findAll(keys),
      },
      states: integrations,
      deliveryLog,
      pendingEvents,
      setAsideEvents: new InMemorySetAsideEvents(),
      slots: new InMemorySlotStore(),
      slowLane: new InMemoryDeliveryQueue(),
      schedules,
      replays,
      afterStoring: { integrations, replays },
      isSlow: async () => false,
      now,
      random: () => 0.5,
      wait: (ms) => setTimeout(ms),
    },
    { ...POLICY, busyAfter },
  );
  const handler = createHandler({ ...deps, startBatch, deadLetters, attemptLines });
  const deliver = (...records: SQSRecord[]) => handler(aBatch(...records));
  return { deliver, pendingEvents, schedules, ...deps };
};

/** The message of an event's delivery; its id is the id of the event. */
export const recordOf = (
  event: string,
  { receiveCount = 1, ...overrides }: Partial<Delivery> & { receiveCount?: number } = {},
) =>
  deliveryRecord(event, aDelivery({ event: anEventReference(event), ...overrides }), {
    receiveCount,
  });

/** Answers with the status code that the id of the event begins with. */
export const answeringById = () =>
  new ScriptedWebhookEndpoint(({ headers }) =>
    answered(Number(headers['webhook-id']?.split('/').at(-1)?.slice(0, 3))),
  );

export const answering = (statusCode: number) =>
  new ScriptedWebhookEndpoint(() => answered(statusCode));

export const throttled = () => Promise.reject(new Error('throttled'));
