import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbDeliveryStates } from '../../adapters/dynamodb/dynamodb-delivery-states.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import { createRecoverIntegration } from '../../core/delivery/recover-integration.ts';
import { createRetryIntegration } from '../../core/delivery/retry-integration.ts';
import { composeAttemptDelivery } from '../_composition/attempt-delivery.ts';
import { composePendingEvents } from '../_composition/pending-events.ts';
import { composeReplayRequests } from '../_composition/replay-requests.ts';
import { composeRetrySchedules } from '../_composition/retry-schedules.ts';
import { createLogger } from '../_runtime/logger.ts';
import { createMetrics } from '../_runtime/metrics.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const { INTEGRATIONS_TABLE, RETRY_INTERVAL_MS: retryIntervalMs, STAGE } = environment;
  const client = createDocumentClient();
  const now = () => new Date();
  const states = new DynamoDbDeliveryStates(client, INTEGRATIONS_TABLE);
  const schedules = composeRetrySchedules(environment);
  const replays = composeReplayRequests(environment, createQueueClient());
  return {
    retryIntegration: createRetryIntegration({
      integrations: new DynamoDbIntegrations(client, INTEGRATIONS_TABLE),
      states,
      pendingEvents: composePendingEvents(environment, client),
      attemptDelivery: composeAttemptDelivery(environment, client),
      enterTrouble: createEnterTrouble({ states, schedules, now, retryIntervalMs }),
      recoverIntegration: createRecoverIntegration({ states, replays, schedules }),
      replays,
      schedules,
      now,
      retryIntervalMs,
    }),
    logger: createLogger(),
    metrics: createMetrics(STAGE),
  };
};
