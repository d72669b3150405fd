import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createKeyClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { KeyPairOpener } from '../../adapters/crypto/key-pair-opener.ts';
import { KeyPairSealer } from '../../adapters/crypto/key-pair-sealer.ts';
import { scryptHash } from '../../adapters/crypto/scrypt-hash.ts';
import { DynamoDbKeyPairs } from '../../adapters/dynamodb/dynamodb-key-pairs.ts';
import { KmsPrivateKeys } from '../../adapters/kms/kms-private-keys.ts';
import { KmsSecretWraps } from '../../adapters/kms/kms-sealing.ts';
import { encryptionContext } from '../_runtime/encryption-context.ts';
import type { Parsed, sealingVariables, secretsVariables } from '../_runtime/environment.ts';

/**
 * Opened secrets that a function keeps: of 20,000 integrations, each with a previous secret. They
 * take some 25 MB.
 */
const MOST_KEPT = 40_000;

type Environment = Parsed<typeof secretsVariables>;

const privateKeys = (environment: Environment) =>
  new KmsPrivateKeys(createKeyClient(), {
    keyArn: environment.SECRETS_KEY_ARN,
    context: encryptionContext(environment.STAGE, 'key-pair'),
  });

/** For the function that repeats its answers. */
export const composeSecretWraps = (environment: Environment) =>
  new KmsSecretWraps(createKeyClient(), {
    keyArn: environment.SECRETS_KEY_ARN,
    context: encryptionContext(environment.STAGE, 'idempotency'),
  });

/** For functions that sign. */
export const composeSecretOpener = (environment: Environment, client: DynamoDBDocumentClient) =>
  new KeyPairOpener(
    {
      pairs: new DynamoDbKeyPairs(client, environment.KEY_PAIRS_TABLE),
      privateKeys: privateKeys(environment),
    },
    { mostKept: MOST_KEPT },
  );

/** For functions that write secrets, none of which can open a secret. */
export const composeSecretSealer = (
  environment: Parsed<typeof sealingVariables>,
  client: DynamoDBDocumentClient,
) =>
  new KeyPairSealer(
    {
      pairs: new DynamoDbKeyPairs(client, environment.KEY_PAIRS_TABLE),
      source: privateKeys(environment),
      slowHash: scryptHash,
      now: () => new Date(),
    },
    { pairDays: environment.KEY_PAIR_DAYS },
  );
