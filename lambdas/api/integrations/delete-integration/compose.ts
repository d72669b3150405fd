import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { DynamoDbIdempotencyRecords } from '../../../../adapters/dynamodb/dynamodb-idempotency-records.ts';
import { buildDeleteIntegration } from '../../../../core/integration/delete-integration.ts';
import { releasingKeys } from '../../../../core/integration/idempotency-records.ts';
import { composeChanging } from '../../../composition/changing.ts';
import { text, troubleVariables } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...troubleVariables, DIRECTORY_TABLE: text });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const ports = composeChanging(environment);
  const { DIRECTORY_TABLE } = environment;
  const idempotency = new DynamoDbIdempotencyRecords(
    createDocumentClient(),
    DIRECTORY_TABLE,
    ports,
  );
  const settingsChange = releasingKeys({ ...ports, idempotency });
  return {
    deleteIntegration: buildDeleteIntegration({ ...ports, settingsChange }),
    logger: createLogger(),
  };
};
