import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbAttemptHistory } from '../../adapters/dynamodb/dynamodb-attempt-history.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { SqsDeliveryQueue } from '../../adapters/sqs/sqs-delivery-queue.ts';
import { createReplayPending } from '../../core/delivery/replay-pending.ts';
import { composePendingEvents } from '../_composition/pending-events.ts';
import { composeReplayRequests } from '../_composition/replay-requests.ts';
import { createLogger } from '../_runtime/logger.ts';
import { createMetrics } from '../_runtime/metrics.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const queues = createQueueClient();
  const pendingEvents = composePendingEvents(environment, client);
  return {
    replayPending: createReplayPending({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      pendingEvents,
      deliveries: new SqsDeliveryQueue(queues, environment.DELIVERIES_QUEUE_URL),
      attemptHistory: new DynamoDbAttemptHistory(client, environment.ATTEMPTS_TABLE),
      replays: composeReplayRequests(environment, queues),
    }),
    pendingEvents,
    now: () => new Date(),
    logger: createLogger(),
    metrics: createMetrics(environment.STAGE),
  };
};
