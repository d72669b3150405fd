import * as z from 'zod';
import { createDocumentClient } from '../../adapters/aws-clients.ts';
import { DynamoDbAccessTokens } from '../../adapters/dynamodb/dynamodb-access-tokens.ts';
import { buildAuthenticate } from '../../core/directory/authenticate.ts';
import { text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({ DIRECTORY_TABLE: text });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => ({
  authenticate: buildAuthenticate({
    tokens: new DynamoDbAccessTokens(createDocumentClient(), environment.DIRECTORY_TABLE),
  }),
});
