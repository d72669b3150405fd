import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbUserSignatures } from '../../adapters/dynamodb/dynamodb-user-signatures.ts';
import { createGetSignature } from '../../core/signatures/get-signature.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => ({
  getSignature: createGetSignature({
    signatures: new DynamoDbUserSignatures(createDocumentClient(), environment.DIRECTORY_TABLE),
  }),
  logger: createLogger(),
});
