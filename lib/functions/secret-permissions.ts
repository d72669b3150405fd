import { encryptionContext, type Purpose } from '../../lambdas/runtime/encryption-context.ts';
import type { Permission } from '../constructs/service-function.ts';
import { contract } from '../contract.ts';
import type { ServiceParts } from './service-parts.ts';

/**
 * What functions need for the secrets of integrations: what signs opens, what writes seals, and
 * nothing does both.
 */

type Parts = Pick<ServiceParts, 'settings' | 'state'>;

/** For functions that open or seal secrets. */
export const secretsEnvironment = ({ settings, state }: Parts) => ({
  KEY_PAIRS_TABLE: state.keyPairs.tableName,
  SECRETS_KEY_ARN: state.secretsKey.keyArn,
  STAGE: settings.stage,
});

/** For functions that seal secrets. */
export const sealingEnvironment = (parts: Parts) => ({
  ...secretsEnvironment(parts),
  KEY_PAIR_DAYS: `${contract.keyPairDays}`,
});

/** A permission to use the key for one purpose alone. */
export const keyPermission = (
  { settings, state }: Parts,
  purpose: Purpose,
  actions: readonly string[],
): Permission => ({
  actions,
  resource: state.secretsKey.keyArn,
  conditions: {
    StringEquals: Object.fromEntries(
      Object.entries(encryptionContext(settings.stage, purpose)).map(([name, value]) => [
        `kms:EncryptionContext:${name}`,
        value,
      ]),
    ),
  },
});

/** For functions that sign. */
export const openingPermissions = (parts: Parts): readonly Permission[] => [
  keyPermission(parts, 'key-pair', ['kms:Decrypt']),
  { actions: ['dynamodb:GetItem'], resource: parts.state.keyPairs.tableArn },
];

/** For functions that write secrets. */
export const sealingPermissions = (parts: Parts): readonly Permission[] => [
  keyPermission(parts, 'key-pair', ['kms:GenerateDataKeyPairWithoutPlaintext']),
  { actions: ['dynamodb:PutItem', 'dynamodb:Query'], resource: parts.state.keyPairs.tableArn },
];
