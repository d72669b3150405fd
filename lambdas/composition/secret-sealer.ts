import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createKeyClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { KeyPairSecretSealer, scryptHash } from '../../adapters/crypto/key-pair-secret-sealer.ts';
import { DynamoDbNewestKeyPair } from '../../adapters/dynamodb/key-pairs/newest-key-pair.ts';
import { KmsKeyPairSource, KmsSecretWraps } from '../../adapters/kms/kms-sealing.ts';
import { encryptionContext } from '../../core/integration/encryption-context.ts';
import type { Parsed, sealingVariables, secretsVariables } from '../runtime/environment.ts';

/** For functions that write secrets, none of which can open a secret. */
export const composeSecretSealer = (
  environment: Parsed<typeof sealingVariables>,
  client: DynamoDBDocumentClient,
) =>
  new KeyPairSecretSealer(
    {
      pairs: new DynamoDbNewestKeyPair(client, environment.KEY_PAIRS_TABLE),
      source: new KmsKeyPairSource(createKeyClient(), {
        keyArn: environment.SECRETS_KEY_ARN,
        context: encryptionContext(environment.STAGE, 'key-pair'),
      }),
      slowHash: scryptHash,
      now: () => new Date(),
    },
    { pairDays: environment.KEY_PAIR_DAYS },
  );

/** For the function that creates integrations: it repeats its answers. */
export const composeSecretWraps = (environment: Parsed<typeof secretsVariables>) =>
  new KmsSecretWraps(createKeyClient(), {
    keyArn: environment.SECRETS_KEY_ARN,
    context: encryptionContext(environment.STAGE, 'idempotency'),
  });
