import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Permission } from '../constructs/service-function.ts';

/** The kinds of items of table Directory, by what their partition keys begin with. */
type Kind = 'ACCOUNT' | 'IDENTITY' | 'TOKEN' | 'USER';

/**
 * A permission for some kinds of items of table Directory alone: whoever may write `TOKEN` items
 * can make access tokens.
 */
export const directoryPermission = (
  directory: ITable,
  kinds: readonly Kind[],
  actions: readonly string[],
): Permission => ({
  actions,
  resource: directory.tableArn,
  conditions: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.map((kind) => `${kind}#*`) },
  },
});
