import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoDbAttemptLog } from '../../adapters/dynamodb/dynamodb-attempt-log.ts';
import { UndiciWebhookEndpoint } from '../../adapters/http/undici-webhook-endpoint.ts';
import { createAttemptDelivery } from '../../core/delivery/attempt-delivery.ts';
import type { attemptVariables, Parsed } from '../_runtime/environment.ts';

export const composeAttemptDelivery = (
  environment: Parsed<typeof attemptVariables>,
  client: DynamoDBDocumentClient,
) =>
  createAttemptDelivery({
    endpoint: new UndiciWebhookEndpoint(
      { allowLoopback: environment.ALLOW_LOOPBACK },
      {
        connectTimeoutMs: environment.CONNECT_TIMEOUT_MS,
        responseTimeoutMs: environment.RESPONSE_TIMEOUT_MS,
      },
    ),
    attemptLog: new DynamoDbAttemptLog(client, environment.DELIVERY_LOG_TABLE, {
      retentionDays: environment.DELIVERY_LOG_RETENTION_DAYS,
    }),
    now: () => new Date(),
    userAgent: `Service-Webhooks/${environment.SERVICE_VERSION}`,
  });
