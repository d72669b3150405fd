import * as z from 'zod';
import { createDocumentClient, createQueueClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { newTestEventId } from '../../adapters/crypto/random-ids.ts';
import { DynamoDbDeliveryLogReader } from '../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import { dynamoDbCallBudget } from '../../adapters/dynamodb/directory/call-budget.ts';
import { DirectoryItems } from '../../adapters/dynamodb/directory/directory-items.ts';
import { SqsDeliveryQueue } from '../../adapters/sqs/sqs-delivery-queue.ts';
import { buildRequestRecovery } from '../../core/delivery/recovery/request-recovery.ts';
import { buildResendDelivery } from '../../core/delivery/recovery/resend-delivery.ts';
import { buildRetrying } from '../../core/delivery/sending/retrying.ts';
import { buildTestIntegration } from '../../core/delivery/sending/test-integration.ts';
import { buildGetIntegration } from '../../core/integration/read-integration.ts';
import { composeRetrying } from '../composition/retrying.ts';
import { positiveInteger, settlingVariables, text } from '../runtime/environment.ts';
import { createLogger, createMetrics } from '../runtime/reporting.ts';
import { SEND_ROUTES } from './routes.ts';
import { dispatch } from './runtime/api-entry.ts';

export const environmentSchema = z.object({
  ...settlingVariables,
  DELIVERIES_QUEUE_URL: text,
  DIRECTORY_TABLE: text,
  CALLS_PER_MINUTE: positiveInteger,
});

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const clients = { tables: createDocumentClient(), queues: createQueueClient() };
  const now = () => new Date();
  const reporting = { logger: createLogger(), metrics: createMetrics(environment.STAGE) };
  const ports = {
    ...composeRetrying(environment, clients, reporting),
    deliveryLogReader: new DynamoDbDeliveryLogReader(
      clients.tables,
      environment.DELIVERY_LOG_TABLE,
      {
        now,
      },
    ),
    deliveries: new SqsDeliveryQueue(clients.queues, environment.DELIVERIES_QUEUE_URL),
    newTestEventId,
    now,
  };
  const retrying = buildRetrying(ports);
  return {
    testIntegration: buildTestIntegration({ ...ports, ...retrying }),
    retryNow: retrying.retryNow,
    resendDelivery: buildResendDelivery(ports),
    requestRecovery: buildRequestRecovery({ ...ports, ...retrying }),
    getIntegration: buildGetIntegration(ports),
    budget: dynamoDbCallBudget(new DirectoryItems(clients.tables, environment.DIRECTORY_TABLE), {
      now,
      callsPerMinute: environment.CALLS_PER_MINUTE,
    }),
    ...reporting,
  };
};

export const createHandler = (deps: ReturnType<typeof compose>) => dispatch(SEND_ROUTES, deps);
