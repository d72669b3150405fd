import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbDeliveryHistory } from '../../adapters/dynamodb/dynamodb-delivery-history.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbPendingView } from '../../adapters/dynamodb/dynamodb-pending-view.ts';
import { createGetDelivery } from '../../core/delivery/get-delivery.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    getDelivery: createGetDelivery({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      history: new DynamoDbDeliveryHistory(client, environment.DELIVERY_LOG_TABLE, {
        now: () => new Date(),
      }),
      pending: new DynamoDbPendingView(client, environment.PENDING_EVENTS_TABLE),
    }),
    logger: createLogger(),
  };
};
