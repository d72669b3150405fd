import * as z from 'zod';
import { createDocumentClient } from '../../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbIntegrationReader } from '../../../adapters/dynamodb/integrations/integration-reader.ts';
import { buildReceiveCanary } from '../../../core/delivery/canary.ts';
import { composeSecretOpener } from '../../composition/attempting.ts';
import { secretsVariables, text } from '../../runtime/environment.ts';
import { createLogger, createMetrics } from '../../runtime/reporting.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({ ...secretsVariables, INTEGRATIONS_TABLE: text });

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    receiveCanary: buildReceiveCanary({
      integrations: new DynamoDbIntegrationReader(client, environment.INTEGRATIONS_TABLE),
      secrets: composeSecretOpener(environment, client),
      now: () => new Date(),
    }),
    metrics: createMetrics(environment.STAGE),
    logger: createLogger(),
  };
};
