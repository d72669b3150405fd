import type { z } from 'zod';
import { newIntegrationId, newWebhookSecret } from '../../adapters/crypto/random-ids.ts';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbIdempotencyRecords } from '../../adapters/dynamodb/dynamodb-idempotency-records.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DnsHostAddresses } from '../../adapters/http/dns-host-addresses.ts';
import { createCreateIntegration } from '../../core/integrations/create-integration.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const now = () => new Date();
  return {
    createIntegration: createCreateIntegration({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      idempotency: new DynamoDbIdempotencyRecords(client, environment.DIRECTORY_TABLE, { now }),
      hosts: new DnsHostAddresses(),
      guard: { allowLoopback: environment.ALLOW_LOOPBACK },
      newIntegrationId,
      newWebhookSecret,
      now,
    }),
    now,
    logger: createLogger(),
  };
};
