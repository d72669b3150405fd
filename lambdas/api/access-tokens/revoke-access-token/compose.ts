import * as z from 'zod';
import {
  DynamoDbTokenCredentials,
  DynamoDbTokenList,
} from '../../../../adapters/dynamodb/dynamodb-tokens.ts';
import { buildRevokeAccessToken } from '../../../../core/directory/revoke-access-token.ts';
import { composeDirectoryItems } from '../../../composition/directory.ts';
import { directoryVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...directoryVariables });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const items = composeDirectoryItems(environment);
  return {
    revokeAccessToken: buildRevokeAccessToken({
      list: new DynamoDbTokenList(items),
      credentials: new DynamoDbTokenCredentials(items),
      now: () => new Date(),
    }),
    logger: createLogger(),
  };
};
