import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbArrivals } from '../../adapters/dynamodb/dynamodb-arrivals.ts';
import { DynamoDbDeliveryStates } from '../../adapters/dynamodb/dynamodb-delivery-states.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import { SqsMessageVisibility } from '../../adapters/sqs/sqs-message-visibility.ts';
import { createDeliverWebhook } from '../../core/delivery/deliver-webhook.ts';
import { createEndTrouble } from '../../core/delivery/end-trouble.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import { createHoldDelivery } from '../../core/delivery/hold-delivery.ts';
import { composeAttemptDelivery } from '../_composition/attempt-delivery.ts';
import { composePendingEvents } from '../_composition/pending-events.ts';
import { composeReplayRequests } from '../_composition/replay-requests.ts';
import { composeRetrySchedules } from '../_composition/retry-schedules.ts';
import { createLogger } from '../_runtime/logger.ts';
import { createMetrics } from '../_runtime/metrics.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const queues = createQueueClient();
  const integrations = new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE);
  const states = new DynamoDbDeliveryStates(client, environment.INTEGRATIONS_TABLE);
  const pendingEvents = composePendingEvents(environment, client);
  const replays = composeReplayRequests(environment, queues);
  const schedules = composeRetrySchedules(environment);
  const now = () => new Date();
  const retryIntervalMs = environment.RETRY_INTERVAL_MS;
  return {
    deliverWebhook: createDeliverWebhook({
      attemptDelivery: composeAttemptDelivery(environment, client),
      holdDelivery: createHoldDelivery({ pendingEvents, integrations, replays }),
      enterTrouble: createEnterTrouble({ states, schedules, now, retryIntervalMs }),
      endTrouble: createEndTrouble({ states, replays, schedules }),
      states,
      pendingEvents,
      arrivals: new DynamoDbArrivals(client, environment.DELIVERY_LOG_TABLE),
      retryPolicy: {
        firstDelayMs: environment.BACKOFF_FIRST_DELAY_MS,
        maxDelayMs: environment.BACKOFF_MAX_DELAY_MS,
        windowMs: environment.BACKOFF_WINDOW_MS,
      },
      busyAfter: environment.BUSY_AFTER,
      random: Math.random,
    }),
    integrations,
    deadLetters: new SqsDeadLetters(queues, environment.DELIVERIES_DEAD_LETTER_QUEUE_URL),
    visibility: new SqsMessageVisibility(queues, environment.DELIVERIES_QUEUE_URL),
    now,
    logger: createLogger(),
    metrics: createMetrics(environment.STAGE),
  };
};
