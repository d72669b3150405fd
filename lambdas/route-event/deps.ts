import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import { SqsDeliveryQueue } from '../../adapters/sqs/sqs-delivery-queue.ts';
import { createRouteEvent } from '../../core/events/route-event.ts';
import { composeDeliveryLog } from '../_composition/delivery-log.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const queues = createQueueClient();
  return {
    routeEvent: createRouteEvent({
      deliveries: new SqsDeliveryQueue(queues, environment.DELIVERIES_QUEUE_URL),
      deliveryLog: composeDeliveryLog(environment, client),
    }),
    integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
    deadLetters: new SqsDeadLetters(queues, environment.EVENTS_DEAD_LETTER_QUEUE_URL),
    logger: createLogger(),
  };
};
