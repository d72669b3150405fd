import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createKeyClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { KeyPairOpener } from '../../adapters/crypto/key-pair-opener.ts';
import { DynamoDbKeyPairs } from '../../adapters/dynamodb/dynamodb-key-pairs.ts';
import { KmsPrivateKeys } from '../../adapters/kms/kms-private-keys.ts';
import { encryptionContext } from '../runtime/encryption-context.ts';
import type { Parsed, secretsVariables } from '../runtime/environment.ts';

/**
 * Opened secrets that a function keeps: of 20,000 integrations, each with a previous secret. They
 * take some 25 MB.
 */
const MOST_KEPT = 40_000;

/** For functions that sign. */
export const composeSecretOpener = (
  environment: Parsed<typeof secretsVariables>,
  client: DynamoDBDocumentClient,
) =>
  new KeyPairOpener(
    {
      pairs: new DynamoDbKeyPairs(client, environment.KEY_PAIRS_TABLE),
      privateKeys: new KmsPrivateKeys(createKeyClient(), {
        keyArn: environment.SECRETS_KEY_ARN,
        context: encryptionContext(environment.STAGE, 'key-pair'),
      }),
    },
    { mostKept: MOST_KEPT },
  );
