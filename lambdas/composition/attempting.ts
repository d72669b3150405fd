import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tracedEndpoint } from '#tracing';
import {
  createDeliveryLogClient,
  createDocumentClient,
} from '../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/dynamodb-delivery-log.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import {
  DynamoDbPendingWriter,
  DynamoDbSetAsideEvents,
} from '../../adapters/dynamodb/dynamodb-pending-writer.ts';
import { DynamoDbSlots } from '../../adapters/dynamodb/dynamodb-slots.ts';
import { HttpsWebhookEndpoint } from '../../adapters/http/https-webhook-endpoint.ts';
import { buildMakeAttempt } from '../../core/delivery/sending/make-attempt.ts';
import type { deliveryLogVariables, Parsed, settlingVariables } from '../runtime/environment.ts';
import { composeSecretOpener } from './secret-opener.ts';
import { composeTroubles } from './troubles.ts';

export const composeDeliveryLog = (
  environment: Parsed<typeof deliveryLogVariables>,
  client = createDeliveryLogClient(environment.DELIVERY_LOG_DEADLINE_MS),
) =>
  new DynamoDbDeliveryLog(client, environment.DELIVERY_LOG_TABLE, {
    retentionDays: environment.DELIVERY_LOG_RETENTION_DAYS,
    deadlineMs: environment.DELIVERY_LOG_DEADLINE_MS,
    now: () => new Date(),
  });

/** Composes `makeAttempt`, and the delivery log that records the attempts. */
const composeAttempts = (
  environment: Parsed<typeof settlingVariables>,
  client: DynamoDBDocumentClient,
) => {
  const deliveryLog = composeDeliveryLog(environment);
  const makeAttempt = buildMakeAttempt({
    endpoint: tracedEndpoint(
      new HttpsWebhookEndpoint(
        { allowLoopback: environment.ALLOW_LOOPBACK },
        {
          connectTimeoutMs: environment.CONNECT_TIMEOUT_MS,
          responseTimeoutMs: environment.RESPONSE_TIMEOUT_MS,
        },
      ),
    ),
    secrets: composeSecretOpener(environment, client),
    now: () => new Date(),
    userAgent: `Service-Webhooks/${environment.SERVICE_VERSION}`,
  });
  return { deliveryLog, makeAttempt };
};

/** Composes the ports of the functions that make attempts and begin or end troubles. */
export const composeAttempting = (
  environment: Parsed<typeof settlingVariables>,
  client = createDocumentClient(),
) => {
  return {
    ...composeAttempts(environment, client),
    ...composeTroubles(environment, client),
    integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
    slots: new DynamoDbSlots(client, environment.PENDING_EVENTS_TABLE),
    pendingEvents: new DynamoDbPendingWriter(client, environment.PENDING_EVENTS_TABLE),
    setAsideEvents: new DynamoDbSetAsideEvents(client, environment.PENDING_EVENTS_TABLE),
    failedAfter: environment.FAILED_AFTER,
  };
};
