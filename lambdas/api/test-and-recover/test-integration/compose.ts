import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { newTestEventId } from '../../../../adapters/crypto/random-ids.ts';
import { DynamoDbIntegrations } from '../../../../adapters/dynamodb/dynamodb-integrations.ts';
import { buildTestIntegration } from '../../../../core/delivery/attempt/test-integration.ts';
import { composeAttempts } from '../../../composition/attempting.ts';
import { attemptVariables, text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...attemptVariables, INTEGRATIONS_TABLE: text });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    testIntegration: buildTestIntegration({
      ...composeAttempts(environment, client),
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      newTestEventId,
      now: () => new Date(),
    }),
    logger: createLogger(),
  };
};
