import * as z from 'zod';
import { DynamoDbUsers } from '../../adapters/dynamodb/dynamodb-directory.ts';
import { buildGetMe } from '../../core/directory/get-me.ts';
import { composeDirectoryItems } from '../_composition/directory.ts';
import { directoryVariables } from '../_runtime/environment.ts';
import { createLogger } from '../_runtime/reporting.ts';

export const environmentSchema = z.object({ ...directoryVariables });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const items = composeDirectoryItems(environment);
  return {
    getMe: buildGetMe({ users: new DynamoDbUsers(items) }),
    logger: createLogger(),
  };
};
