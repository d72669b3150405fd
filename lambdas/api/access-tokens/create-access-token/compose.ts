import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { DynamoDbUsers } from '../../../../adapters/dynamodb/dynamodb-directory.ts';
import {
  DynamoDbTokenCredentials,
  DynamoDbTokenList,
} from '../../../../adapters/dynamodb/dynamodb-tokens.ts';
import { buildCreateAccessToken } from '../../../../core/directory/create-access-token.ts';
import { composeDirectoryItems } from '../../../composition/directory.ts';
import { directoryVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...directoryVariables });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const items = composeDirectoryItems(environment);
  return {
    createAccessToken: buildCreateAccessToken({
      users: new DynamoDbUsers(items),
      list: new DynamoDbTokenList(items),
      credentials: new DynamoDbTokenCredentials(items),
      now: () => new Date(),
      randomBytes,
    }),
    logger: createLogger(),
  };
};
