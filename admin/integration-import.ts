import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { KeyPairSecretSealer, scryptHash } from '../adapters/crypto/key-pair-secret-sealer.ts';
import { newIntegrationId } from '../adapters/crypto/random-ids.ts';
import { administrationPorts } from '../adapters/dynamodb/directory/administration-ports.ts';
import { DynamoDbIdempotencyRecords } from '../adapters/dynamodb/directory/idempotency-records.ts';
import { DynamoDbIntegrationWriter } from '../adapters/dynamodb/integrations/integration-writer.ts';
import { DynamoDbNewestKeyPair } from '../adapters/dynamodb/key-pairs/newest-key-pair.ts';
import { DnsHostAddresses } from '../adapters/http/dns-host-addresses.ts';
import { KmsKeyPairSource, KmsSecretWraps } from '../adapters/kms/kms-sealing.ts';
import { encryptionContext, type Purpose } from '../core/integration/encryption-context.ts';
import { askedOnce } from '../core/integration/settings-of.ts';
import { buildImportLines, type ImportLines } from './import-lines.ts';
import type { ClientConfig } from './target.ts';

interface Whereabouts {
  readonly stage: string;
  findName(output: string): Promise<string>;
  requireAccount(name: string): Promise<unknown>;
}

/** Creates integrations with the settings of the stage's function `change-api`. */
export const connectImport = async (
  config: ClientConfig,
  { stage, findName, requireAccount }: Whereabouts,
): Promise<ImportLines> => {
  const client = new DynamoDBClient(config);
  const documents = DynamoDBDocumentClient.from(client);
  const directoryTable = await findName('DirectoryTableName');
  const { signatures, users } = administrationPorts(client, directoryTable);
  const guard = {
    allowLoopback: stage === 'local',
    ownHosts: (await findName('OwnOrigins')).split(' ').map((origin) => new URL(origin).hostname),
  };
  const [keys, keyArn] = [new KMSClient(config), await findName('SecretsKeyArn')];
  const useFor = (purpose: Purpose) => ({ keyArn, context: encryptionContext(stage, purpose) });
  const now = () => new Date();
  return buildImportLines({
    integrations: new DynamoDbIntegrationWriter(
      documents,
      await findName('IntegrationsTableName'),
      {
        directoryTable,
      },
    ),
    idempotency: new DynamoDbIdempotencyRecords(documents, directoryTable),
    secrets: new KeyPairSecretSealer(
      {
        pairs: new DynamoDbNewestKeyPair(documents, await findName('KeyPairsTableName')),
        source: new KmsKeyPairSource(keys, useFor('key-pair')),
        slowHash: scryptHash,
        now,
      },
      { pairDays: Number(await findName('KeyPairDays')) },
    ),
    secretWraps: new KmsSecretWraps(keys, useFor('idempotency')),
    slowHash: scryptHash,
    hosts: askedOnce(new DnsHostAddresses(guard)),
    guard,
    signatures,
    hasUser: async (id) => (await users.find(id)) !== undefined,
    requireAccount,
    newIntegrationId,
    now,
  });
};
