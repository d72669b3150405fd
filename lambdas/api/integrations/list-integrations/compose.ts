import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { DynamoDbIntegrations } from '../../../../adapters/dynamodb/dynamodb-integrations.ts';
import { buildListIntegrations } from '../../../../core/integration/list-integrations.ts';
import { text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ INTEGRATIONS_TABLE: text });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => ({
  listIntegrations: buildListIntegrations({
    integrations: new DynamoDbIntegrations(createDocumentClient(), environment.INTEGRATIONS_TABLE),
  }),
  now: () => new Date(),
  logger: createLogger(),
});
