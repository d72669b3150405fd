import * as z from 'zod';
import { DynamoDbAccounts } from '../../../../adapters/dynamodb/dynamodb-directory.ts';
import { DynamoDbAccountTree } from '../../../../adapters/dynamodb/dynamodb-directory-lists.ts';
import { buildAccountsPage } from '../../../../core/directory/accounts-page.ts';
import { composeDirectoryItems } from '../../../composition/directory.ts';
import { directoryVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...directoryVariables });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const items = composeDirectoryItems(environment);
  return {
    accountsPage: buildAccountsPage({
      accounts: new DynamoDbAccounts(items),
      tree: new DynamoDbAccountTree(items),
    }),
    logger: createLogger(),
  };
};
