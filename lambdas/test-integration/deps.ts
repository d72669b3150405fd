import type { z } from 'zod';
import { newTestEventId } from '../../adapters/crypto/random-ids.ts';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/dynamodb-delivery-log.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createTestIntegration } from '../../core/delivery/test-integration.ts';
import { composeAttemptDelivery } from '../_composition/attempt-delivery.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const now = () => new Date();
  return {
    testIntegration: createTestIntegration({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      deliveryLog: new DynamoDbDeliveryLog(client, environment.DELIVERY_LOG_TABLE, {
        retentionDays: environment.DELIVERY_LOG_RETENTION_DAYS,
        now,
      }),
      attemptDelivery: composeAttemptDelivery(environment, client),
      newTestEventId,
      now,
    }),
    logger: createLogger(),
  };
};
