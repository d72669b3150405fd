import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbDeliveryHistory } from '../../adapters/dynamodb/dynamodb-delivery-history.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createListDeliveries } from '../../core/delivery/list-deliveries.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    listDeliveries: createListDeliveries({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      history: new DynamoDbDeliveryHistory(client, environment.DELIVERY_LOG_TABLE, {
        now: () => new Date(),
      }),
    }),
    logger: createLogger(),
  };
};
