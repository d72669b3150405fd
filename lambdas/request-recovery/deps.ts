import type { z } from 'zod';
import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbDeliveryStates } from '../../adapters/dynamodb/dynamodb-delivery-states.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { createRequestRecovery } from '../../core/delivery/request-recovery.ts';
import { createGetIntegration } from '../../core/integrations/get-integration.ts';
import { composeReplayRequests } from '../_composition/replay-requests.ts';
import { composeRetrySchedules } from '../_composition/retry-schedules.ts';
import { createLogger } from '../_runtime/logger.ts';
import type { environmentSchema } from './env.ts';

export const createDeps = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const integrations = new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE);
  return {
    requestRecovery: createRequestRecovery({
      integrations,
      states: new DynamoDbDeliveryStates(client, environment.INTEGRATIONS_TABLE),
      schedules: composeRetrySchedules(environment),
      replays: composeReplayRequests(environment, createQueueClient()),
      now: () => new Date(),
    }),
    getIntegration: createGetIntegration({ integrations }),
    logger: createLogger(),
  };
};
