import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { CANARY_ACCOUNT } from '../../core/delivery/canary.ts';
import { encryptionContext, type Purpose } from '../../lambdas/runtime/environment.ts';
import type { Permission } from '../constructs/service-function.ts';
import type { ServiceParts } from './service-parts.ts';

/**
 * Permissions that several functions share. A function that signs opens secrets, a function that
 * writes settings seals them, and no function does both.
 */

type Parts = Pick<ServiceParts, 'settings' | 'state'>;

/** A permission for actions of DynamoDB on a table. */
export const onTable = ({ tableArn }: ITable, ...actions: readonly string[]): Permission => ({
  actions: actions.map((action) => `dynamodb:${action}`),
  resource: tableArn,
});

/** A permission to send messages to a queue. */
export const toQueue = ({ queueArn }: IQueue): Permission => ({
  actions: ['sqs:SendMessage'],
  resource: queueArn,
});

/** The kinds of items of table Directory, by the beginnings of their partition keys. */
type DirectoryKind = 'ACCOUNT' | 'IDENTITY' | 'NOTICE' | 'TOKEN' | 'USER';

/**
 * A permission for some kinds of items of table Directory alone: a function that may write `TOKEN`
 * items can make access tokens.
 */
export const directoryPermission = (
  { state: { directory } }: Pick<ServiceParts, 'state'>,
  kinds: readonly DirectoryKind[],
  ...actions: readonly string[]
): Permission => ({
  ...onTable(directory, ...actions),
  conditions: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.map((kind) => `${kind}#*`) },
  },
});

/** A permission for the canary's integration alone. */
export const canaryPermission = (
  { state: { integrations } }: Parts,
  ...actions: readonly string[]
): Permission => ({
  ...onTable(integrations, ...actions),
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [CANARY_ACCOUNT] } },
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
  onTable(parts.state.keyPairs, 'GetItem'),
];

/** For functions that make attempts. PutItem writes the items that a batch left undone. */
export const LOG_WRITER_ACTIONS = [
  'GetItem',
  'BatchWriteItem',
  'PartiQLInsert',
  'PutItem',
  'UpdateItem',
];

/** For functions that retry an integration, hourly or now. */
export const retryPermissions = (parts: ServiceParts): readonly Permission[] => [
  ...openingPermissions(parts),
  onTable(parts.state.integrations, 'GetItem', 'UpdateItem'),
  onTable(parts.state.pendingEvents, 'GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
  ...troublePermissions(parts),
];

/** For functions that begin and end troubles: the hourly schedule, and the request for a replay. */
export const troublePermissions = ({ replays, schedules }: ServiceParts): readonly Permission[] => [
  toQueue(replays.queue),
  ...schedules.createPermissions,
  ...schedules.deletePermissions,
];
