import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbDeliveryHistory } from '../../adapters/dynamodb/dynamodb-delivery-history.ts';
import { DynamoDbDeliveryLogPurge } from '../../adapters/dynamodb/dynamodb-delivery-log-purge.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { SqsDeliveryQueue } from '../../adapters/sqs/sqs-delivery-queue.ts';
import { createRecoverDeliveries } from '../../core/delivery/recover-deliveries.ts';
import { createReplayPending } from '../../core/delivery/replay-pending.ts';
import { composePendingEvents } from '../_composition/pending-events.ts';
import { composeReplayRequests } from '../_composition/replay-requests.ts';
import { createLogger } from '../_runtime/logger.ts';
import { createMetrics } from '../_runtime/metrics.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const queues = createQueueClient();
  const now = () => new Date();
  const replays = composeReplayRequests(environment, queues);
  const ports = {
    integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
    pendingEvents: composePendingEvents(environment, client),
    deliveries: new SqsDeliveryQueue(queues, environment.DELIVERIES_QUEUE_URL),
    deliveryLogPurge: new DynamoDbDeliveryLogPurge(client, environment.DELIVERY_LOG_TABLE),
  };
  const history = new DynamoDbDeliveryHistory(client, environment.DELIVERY_LOG_TABLE, { now });
  return {
    replayPending: createReplayPending({ ...ports, replays }),
    recoverDeliveries: createRecoverDeliveries({ ...ports, history, recoveries: replays }),
    pendingEvents: ports.pendingEvents,
    now,
    logger: createLogger(),
    metrics: createMetrics(environment.STAGE),
  };
};
