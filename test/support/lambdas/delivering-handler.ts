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
import { createHandler } from '../../../lambdas/deliver/deliver-webhook/handler.ts';
import type { AttemptLines } from '../../../lambdas/runtime/environment.ts';
import { InMemoryDeliveryLog } from '../delivery/in-memory-delivery-log.ts';
import { InMemoryDeliveryQueue } from '../delivery/in-memory-delivery-queue.ts';
import { InMemoryPendingEvents } from '../delivery/pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../delivery/pending/in-memory-replay-requests.ts';
import { InMemorySetAsideEvents } from '../delivery/pending/in-memory-set-aside-events.ts';
import { ScriptedWebhookEndpoint } from '../delivery/scripted-webhook-endpoint.ts';
import { InMemorySlots } from '../delivery/sending/in-memory-slots.ts';
import { InMemoryRetrySchedules } from '../delivery/trouble/in-memory-retry-schedules.ts';
import { InMemoryIntegrations } from '../integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../integration/in-memory-secrets.ts';
import { anIntegration } from '../integration/integrations.ts';
import { untouchable } from '../untouchable.ts';
import { anObservation } from './observed-handler.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** When what was received comes back, by receipt; of the receipts in `refused` it stays as it is. */
export class InMemoryMessageVisibility {
  readonly delaysMs: Record<string, number> = {};
  readonly #refused: readonly string[];

  constructor({ refused = [] as string[] } = {}) {
    this.#refused = refused;
  }

  async change(changes: readonly { receiptHandle: string; delayMs: number }[]) {
    const isRefused = ({ receiptHandle }: { receiptHandle: string }) =>
      this.#refused.includes(receiptHandle);
    for (const change of changes) {
      if (!isRefused(change)) this.delaysMs[change.receiptHandle] = change.delayMs;
    }
    return changes.filter(isRefused).map((change) => ({
      ...change,
      code: 'ReceiptHandleIsInvalid',
    }));
  }
}

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
  const observation = anObservation();
  const deliverWebhook = buildDeliverWebhook({
    makeAttempt: buildMakeAttempt({
      secrets: new InMemorySecrets(),
      endpoint,
      now,
      userAgent: 'Service-Webhooks/1.2.3',
    }),
    storePending: buildStorePending({ pendingEvents, integrations, replays }),
    troubles: buildTroubles({ states, schedules, replays, now, retryIntervalMs: 3_600_000 }),
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
  const deps = {
    deliverWebhook,
    watchBatch: buildWatchBatch({ integrations, states, isSlow: async () => false, now }),
    integrations: store,
    deliveryLog,
    deadLetters,
    visibility,
    now,
    random: () => 0.5,
    attemptLines,
    ...observation,
  };
  return { handler: createHandler(deps), pendingEvents, schedules, visibility, ...observation };
};

/** What a batch's answer says of the messages that stay in the queue. */
export const kept = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});
