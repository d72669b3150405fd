import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbPendingView } from '../../adapters/dynamodb/dynamodb-pending-view.ts';
import { createListPendingEvents } from '../../core/delivery/list-pending-events.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    listPendingEvents: createListPendingEvents({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      pending: new DynamoDbPendingView(client, environment.PENDING_EVENTS_TABLE),
    }),
    logger: createLogger(),
  };
};
