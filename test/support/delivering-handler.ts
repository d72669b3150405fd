import type { AttemptLog } from '../../core/delivery/attempt.ts';
import { createAttemptDelivery } from '../../core/delivery/attempt-delivery.ts';
import { createDeliverWebhook } from '../../core/delivery/deliver-webhook.ts';
import type { Arrivals } from '../../core/delivery/delivery-log.ts';
import { createEndTrouble } from '../../core/delivery/end-trouble.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import { createHoldDelivery } from '../../core/delivery/hold-delivery.ts';
import type { WebhookEndpoint } from '../../core/delivery/webhook-endpoint.ts';
import type { DeadLetters } from '../../core/events/dead-letters.ts';
import type { IntegrationStore } from '../../core/integrations/integration.ts';
import { createHandler } from '../../lambdas/deliver-webhook/handler.ts';
import { InMemoryDeliveryLog } from './in-memory-delivery-log.ts';
import { InMemoryIntegrations } from './in-memory-integrations.ts';
import { InMemoryPendingEvents } from './in-memory-pending-events.ts';
import { InMemoryReplayRequests } from './in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from './in-memory-retry-schedules.ts';
import { anIntegration } from './integrations.ts';
import { anObservation } from './observed-handler.ts';
import { ScriptedWebhookEndpoint } from './scripted-webhook-endpoint.ts';
import { untouchable } from './untouchable.ts';

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
  store = integrations as IntegrationStore,
  endpoint = new ScriptedWebhookEndpoint() as WebhookEndpoint,
  deliveryLog = new InMemoryDeliveryLog(),
  attemptLog = deliveryLog as AttemptLog,
  arrivals = deliveryLog as Arrivals,
  deadLetters = untouchable<DeadLetters>('the dead-letter queue'),
  visibility = new InMemoryMessageVisibility(),
  busyAfter = 20,
  now = () => NOON,
} = {}) => {
  const pendingEvents = new InMemoryPendingEvents();
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  const states = integrations;
  const observation = anObservation();
  const deliverWebhook = createDeliverWebhook({
    attemptDelivery: createAttemptDelivery({
      endpoint,
      attemptLog,
      now,
      userAgent: 'Service-Webhooks/1.2.3',
    }),
    holdDelivery: createHoldDelivery({ pendingEvents, integrations, replays }),
    enterTrouble: createEnterTrouble({ states, schedules, now, retryIntervalMs: 3_600_000 }),
    endTrouble: createEndTrouble({ states, replays, schedules }),
    states,
    pendingEvents,
    arrivals,
    retryPolicy: { firstDelayMs: 15_000, maxDelayMs: 3_600_000, windowMs: 43_200_000 },
    busyAfter,
    random: () => 0.5,
  });
  const deps = {
    deliverWebhook,
    integrations: store,
    deadLetters,
    visibility,
    now,
    ...observation,
  };
  return { handler: createHandler(deps), pendingEvents, schedules, visibility, ...observation };
};

/** What a batch's answer says of the messages that stay in the queue. */
export const kept = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});
