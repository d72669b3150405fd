import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { DynamoDbUserSignatures } from '../../../../adapters/dynamodb/dynamodb-user-signatures.ts';
import { buildGetSignature } from '../../../../core/directory/get-signature.ts';
import { text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ DIRECTORY_TABLE: text });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => ({
  getSignature: buildGetSignature({
    signatures: new DynamoDbUserSignatures(createDocumentClient(), environment.DIRECTORY_TABLE),
  }),
  logger: createLogger(),
});
