import * as z from 'zod';
import {
  DynamoDbTokenList,
  DynamoDbTokenUses,
} from '../../../../adapters/dynamodb/dynamodb-tokens.ts';
import { buildListAccessTokens } from '../../../../core/directory/list-access-tokens.ts';
import { composeDirectoryItems } from '../../../composition/directory.ts';
import { directoryVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...directoryVariables });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const items = composeDirectoryItems(environment);
  return {
    listAccessTokens: buildListAccessTokens({
      list: new DynamoDbTokenList(items),
      uses: new DynamoDbTokenUses(items),
    }),
    logger: createLogger(),
  };
};
