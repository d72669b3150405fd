import * as z from 'zod';
import { DynamoDbAccounts } from '../../../../adapters/dynamodb/dynamodb-directory.ts';
import { DynamoDbUserList } from '../../../../adapters/dynamodb/dynamodb-directory-lists.ts';
import { buildUsersPage } from '../../../../core/directory/users-page.ts';
import { composeDirectoryItems } from '../../../composition/directory.ts';
import { directoryVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...directoryVariables });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const items = composeDirectoryItems(environment);
  return {
    usersPage: buildUsersPage({
      accounts: new DynamoDbAccounts(items),
      userList: new DynamoDbUserList(items),
    }),
    logger: createLogger(),
  };
};
