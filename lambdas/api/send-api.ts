import * as z from 'zod';
import { createDocumentClient, createQueueClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { newTestEventId } from '../../adapters/crypto/random-ids.ts';
import { DynamoDbDeliveryLogReader } from '../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import { SqsDeliveryQueue } from '../../adapters/sqs/sqs-delivery-queue.ts';
import { buildRequestRecovery } from '../../core/delivery/recovery/request-recovery.ts';
import { buildResendDelivery } from '../../core/delivery/recovery/resend-delivery.ts';
import { buildRetryNow } from '../../core/delivery/sending/retry-now.ts';
import { buildRetryPending } from '../../core/delivery/sending/retry-pending.ts';
import { buildTestIntegration } from '../../core/delivery/sending/test-integration.ts';
import { buildGetIntegration } from '../../core/integration/read-integration.ts';
import { composeRetrying } from '../composition/retrying.ts';
import { settlingVariables, text } from '../runtime/environment.ts';
import { createLogger, createMetrics } from '../runtime/reporting.ts';
import { dispatch } from './runtime/api-entry.ts';
import { createHandler as requestRecovery } from './test-and-recover/request-recovery.ts';
import { createHandler as resendDelivery } from './test-and-recover/resend-delivery.ts';
import { createHandler as retryNow } from './test-and-recover/retry-now.ts';
import { createHandler as testIntegration } from './test-and-recover/test-integration.ts';

export const environmentSchema = z.object({ ...settlingVariables, DELIVERIES_QUEUE_URL: text });

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const now = () => new Date();
  const reporting = { logger: createLogger(), metrics: createMetrics(environment.STAGE) };
  const ports = {
    ...composeRetrying(environment, client, reporting),
    log: new DynamoDbDeliveryLogReader(client, environment.DELIVERY_LOG_TABLE, {
      now,
    }),
    deliveries: new SqsDeliveryQueue(createQueueClient(), environment.DELIVERIES_QUEUE_URL),
    newTestEventId,
    now,
  };
  return {
    testIntegration: buildTestIntegration(ports),
    retryNow: buildRetryNow({ ...ports, retryPending: buildRetryPending(ports) }),
    resendDelivery: buildResendDelivery(ports),
    requestRecovery: buildRequestRecovery(ports),
    getIntegration: buildGetIntegration(ports),
    ...reporting,
  };
};

/** The routes that send events to an endpoint, while the caller waits or later. */
export const createHandler = (deps: ReturnType<typeof compose>) =>
  dispatch([testIntegration, retryNow, resendDelivery, requestRecovery], deps);
