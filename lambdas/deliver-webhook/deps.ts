import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbAttemptLog } from '../../adapters/dynamodb/dynamodb-attempt-log.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { UndiciWebhookEndpoint } from '../../adapters/http/undici-webhook-endpoint.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import { createDeliverWebhook } from '../../core/delivery/deliver-webhook.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    deliverWebhook: createDeliverWebhook({
      endpoint: new UndiciWebhookEndpoint(
        { allowLoopback: environment.ALLOW_LOOPBACK },
        {
          connectTimeoutMs: environment.CONNECT_TIMEOUT_MS,
          responseTimeoutMs: environment.RESPONSE_TIMEOUT_MS,
        },
      ),
      attemptLog: new DynamoDbAttemptLog(client, environment.ATTEMPTS_TABLE, {
        retentionDays: environment.ATTEMPTS_RETENTION_DAYS,
      }),
      now: () => new Date(),
      userAgent: `Service-Webhooks/${environment.SERVICE_VERSION}`,
    }),
    integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
    deadLetters: new SqsDeadLetters(
      createQueueClient(),
      environment.DELIVERIES_DEAD_LETTER_QUEUE_URL,
    ),
    logger: createLogger(),
  };
};
