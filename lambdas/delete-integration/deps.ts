import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { createDeleteIntegration } from '../../core/integrations/delete-integration.ts';
import { composeReplayRequests } from '../_composition/replay-requests.ts';
import { composeRetrySchedules } from '../_composition/retry-schedules.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => ({
  deleteIntegration: createDeleteIntegration({
    integrations: new DynamoDbIntegrations(createDocumentClient(), environment.INTEGRATIONS_TABLE),
    schedules: composeRetrySchedules(environment),
    replays: composeReplayRequests(environment, createQueueClient()),
  }),
  logger: createLogger(),
});
