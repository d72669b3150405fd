import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { newIntegrationId } from '../../../adapters/crypto/random-ids.ts';
import { DynamoDbIntegrations } from '../../../adapters/dynamodb/dynamodb-integrations.ts';
import { settingsFor } from '../../../lib/stages.ts';
import { anIntegration } from '../integration/integrations.ts';
import { awsClientConfig } from './platform.ts';
import { outputs } from './service-state.ts';

/** Gives an account so many more integrations that it may have no other. */
export const fillAccount = async (account: string): Promise<void> => {
  const settings = settingsFor(process.env.SERVICE_STAGE ?? 'local');
  const { IntegrationsTableName = '' } = await outputs;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfig), {
    marshallOptions: { removeUndefinedValues: true },
  });
  const integrations = new DynamoDbIntegrations(client, IntegrationsTableName);
  const missing = (settings?.integrationsPerAccount ?? 0) - (await integrations.countOf(account));
  await Promise.all(
    Array.from({ length: missing }, () =>
      integrations.add(anIntegration({ account, id: newIntegrationId(), active: false })),
    ),
  );
};
