import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbAccessTokens } from '../../adapters/dynamodb/dynamodb-access-tokens.ts';
import { createAuthenticate } from '../../core/access/authenticate.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => ({
  authenticate: createAuthenticate({
    tokens: new DynamoDbAccessTokens(createDocumentClient(), environment.DIRECTORY_TABLE),
  }),
});
