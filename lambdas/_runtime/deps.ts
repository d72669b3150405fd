import { randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbAttemptLog } from '../../adapters/dynamodb/dynamodb-attempt-log.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/dynamodb-pending-events.ts';
import { DnsHostAddresses } from '../../adapters/http/dns-host-addresses.ts';
import { UndiciWebhookEndpoint } from '../../adapters/http/undici-webhook-endpoint.ts';
import { EventBridgeRetrySchedules } from '../../adapters/scheduler/eventbridge-retry-schedules.ts';
import { createSchedulerClient } from '../../adapters/scheduler/scheduler-client.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { SqsReplayRequests } from '../../adapters/sqs/sqs-replay-requests.ts';
import { createAttemptDelivery } from '../../core/delivery/attempt-delivery.ts';
import { createChangeIntegration } from '../../core/integrations/change-integration.ts';
import type {
  attemptVariables,
  integrationWritingVariables,
  Parsed,
  retryScheduleVariables,
} from './environment.ts';

// What the deps.ts of several functions have in common.

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
    attemptLog: new DynamoDbAttemptLog(client, environment.ATTEMPTS_TABLE, {
      retentionDays: environment.ATTEMPTS_RETENTION_DAYS,
    }),
    now: () => new Date(),
    userAgent: `Service-Webhooks/${environment.SERVICE_VERSION}`,
  });

export const composePendingEvents = (
  environment: { PENDING_EVENTS_TABLE: string },
  client: DynamoDBDocumentClient,
) =>
  new DynamoDbPendingEvents(client, environment.PENDING_EVENTS_TABLE, { newVersion: randomUUID });

export const composeReplayRequests = (
  environment: { REPLAY_QUEUE_URL: string },
  client: SQSClient,
) =>
  new SqsReplayRequests(client, environment.REPLAY_QUEUE_URL, { newDeduplicationId: randomUUID });

export const composeRetrySchedules = (environment: Parsed<typeof retryScheduleVariables>) =>
  new EventBridgeRetrySchedules(createSchedulerClient(), {
    group: environment.SCHEDULE_GROUP,
    roleArn: environment.SCHEDULE_ROLE_ARN,
    functionArn: environment.RETRY_FUNCTION_ARN,
    retryIntervalMs: environment.RETRY_INTERVAL_MS,
    now: () => new Date(),
  });

/** What PUT and PATCH need alike. */
export const composeIntegrationWriting = (
  environment: Parsed<typeof integrationWritingVariables>,
) => ({
  changeIntegration: createChangeIntegration({
    integrations: new DynamoDbIntegrations(createDocumentClient(), environment.INTEGRATIONS_TABLE),
    schedules: composeRetrySchedules(environment),
    replays: composeReplayRequests(environment, createQueueClient()),
    now: () => new Date(),
  }),
  hosts: new DnsHostAddresses(),
  guard: { allowLoopback: environment.ALLOW_LOOPBACK },
});
