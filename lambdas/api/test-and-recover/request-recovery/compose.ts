import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { DynamoDbIntegrations } from '../../../../adapters/dynamodb/dynamodb-integrations.ts';
import { buildRequestRecovery } from '../../../../core/delivery/recovery/request-recovery.ts';
import { buildGetIntegration } from '../../../../core/integration/get-integration.ts';
import { composeTroubles } from '../../../composition/troubles.ts';
import { troubleVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object(troubleVariables);

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const integrations = new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE);
  return {
    requestRecovery: buildRequestRecovery({
      ...composeTroubles(environment, client),
      integrations,
    }),
    getIntegration: buildGetIntegration({ integrations }),
    logger: createLogger(),
  };
};
