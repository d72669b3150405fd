import * as z from 'zod';
import { DynamoDbUsers } from '../../../../adapters/dynamodb/dynamodb-directory.ts';
import { buildGetMe } from '../../../../core/directory/get-me.ts';
import { composeDirectoryItems } from '../../../composition/directory.ts';
import { directoryVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...directoryVariables });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const items = composeDirectoryItems(environment);
  return {
    getMe: buildGetMe({ users: new DynamoDbUsers(items) }),
    logger: createLogger(),
  };
};
