import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { newIntegrationId, newWebhookSecret } from '../../../../adapters/crypto/random-ids.ts';
import { scryptHash } from '../../../../adapters/crypto/scrypt-hash.ts';
import { DynamoDbIdempotencyRecords } from '../../../../adapters/dynamodb/dynamodb-idempotency-records.ts';
import { DynamoDbIntegrations } from '../../../../adapters/dynamodb/dynamodb-integrations.ts';
import { buildCreateIntegration } from '../../../../core/integration/create-integration.ts';
import { composeAddressCheck } from '../../../composition/changing.ts';
import { composeSecretSealer, composeSecretWraps } from '../../../composition/secrets.ts';
import {
  addressVariables,
  positiveInteger,
  sealingVariables,
  text,
} from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({
  ...addressVariables,
  ...sealingVariables,
  DIRECTORY_TABLE: text,
  INTEGRATIONS_TABLE: text,
  INTEGRATIONS_PER_ACCOUNT: positiveInteger,
});

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const now = () => new Date();
  return {
    createIntegration: buildCreateIntegration({
      ...composeAddressCheck(environment),
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      idempotency: new DynamoDbIdempotencyRecords(client, environment.DIRECTORY_TABLE, { now }),
      secrets: composeSecretSealer(environment, client),
      secretWraps: composeSecretWraps(environment),
      slowHash: scryptHash,
      newIntegrationId,
      newWebhookSecret,
      now,
      integrationsPerAccount: environment.INTEGRATIONS_PER_ACCOUNT,
    }),
    now,
    logger: createLogger(),
  };
};
