import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createListIntegrations } from '../../core/integrations/list-integrations.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => ({
  listIntegrations: createListIntegrations({
    integrations: new DynamoDbIntegrations(createDocumentClient(), environment.INTEGRATIONS_TABLE),
  }),
  now: () => new Date(),
  logger: createLogger(),
});
