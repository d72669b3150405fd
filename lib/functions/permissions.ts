import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { CANARY_ACCOUNT } from '../../core/delivery/canary.ts';
import { encryptionContext, type Purpose } from '../../core/integration/encryption-context.ts';
import type { Permission } from '../constructs/service-function.ts';
import type { ServiceParts } from './service-parts.ts';

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
type DirectoryKind = 'ACCOUNT' | 'CALLS' | 'IDENTITY' | 'LINK' | 'NOTICE' | 'TOKEN' | 'USER';

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

/** A permission to count the events that filters keep back, and none of the attempts. */
export const filteredCountsPermission = ({
  state: { statistics },
}: Pick<ServiceParts, 'state'>): Permission => ({
  ...onTable(statistics, 'UpdateItem'),
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['account#*'] } },
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
