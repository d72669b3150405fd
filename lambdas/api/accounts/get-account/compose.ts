import * as z from 'zod';
import { DynamoDbAccounts } from '../../../../adapters/dynamodb/dynamodb-directory.ts';
import { buildGetAccount } from '../../../../core/directory/get-account.ts';
import { composeDirectoryItems } from '../../../composition/directory.ts';
import { directoryVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...directoryVariables });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const items = composeDirectoryItems(environment);
  return {
    getAccount: buildGetAccount({ accounts: new DynamoDbAccounts(items) }),
    logger: createLogger(),
  };
};
