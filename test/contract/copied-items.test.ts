import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { startTestRun, type TestRun, tableOf } from 'local-aws/test/support/assembly.ts';
import { createClient } from 'local-aws/test/support/clients.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { KeyPairSecretOpener } from '../../adapters/crypto/key-pair-secret-opener.ts';
import { KeyPairSecretSealer, scryptHash } from '../../adapters/crypto/key-pair-secret-sealer.ts';
import { DynamoDbNewestKeyPair } from '../../adapters/dynamodb/key-pairs/newest-key-pair.ts';
import { KmsPrivateKeys } from '../../adapters/kms/kms-private-keys.ts';
import { KmsKeyPairSource } from '../../adapters/kms/kms-sealing.ts';
import { encryptionContext } from '../../core/integration/encryption-context.ts';
import type { SecretPlace } from '../../core/integration/signing-secrets.ts';

const PLACE: SecretPlace = { account: 'acme', integration: '0123456789Ab', field: 'webhookSecret' };

const KEY_PAIRS = tableOf(['purpose', 'id']);

let run: TestRun;
beforeAll(async () => {
  run = await startTestRun({
    resources: { Key: { Type: 'AWS::KMS::Key' }, Lost: KEY_PAIRS, New: KEY_PAIRS },
    outputs: {
      KeyArn: { Value: { 'Fn::GetAtt': ['Key', 'Arn'] } },
      Lost: { Value: { Ref: 'Lost' } },
      New: { Value: { Ref: 'New' } },
    },
  });
});
afterAll(() => run.stop());

const pairsIn = (table = '') =>
  new DynamoDbNewestKeyPair(
    DynamoDBDocumentClient.from(createClient(DynamoDBClient, run.aws)),
    table,
  );

const copyItems = async (from = '', to = ''): Promise<string> => {
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: run.aws,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  const words = ['bin/copy-items.ts', '--from', from, '--to', to];
  return (await promisify(execFile)(process.execPath, words, { env })).stdout;
};

it('A stage of the same name and key opens copied secrets of a lost one', async () => {
  const { KeyArn = '', Lost, New } = run.outputs;
  const use = { keyArn: KeyArn, context: encryptionContext('prod', 'key-pair') };
  const kms = createClient(KMSClient, run.aws);
  const source = new KmsKeyPairSource(kms, use);
  const sealer = new KeyPairSecretSealer(
    { pairs: pairsIn(Lost), source, slowHash: scryptHash, now: () => new Date() },
    { pairDays: 90 },
  );
  const sealed = await sealer.seal('a secret of the tests', PLACE);

  expect(await copyItems(Lost, New)).toMatch(/^1 items/);

  const privateKeys = new KmsPrivateKeys(kms, use);
  const opener = new KeyPairSecretOpener({ pairs: pairsIn(New), privateKeys }, { mostKept: 10 });
  expect(await opener.open(sealed, PLACE)).toBe('a secret of the tests');
});
