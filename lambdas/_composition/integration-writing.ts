import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DnsHostAddresses } from '../../adapters/http/dns-host-addresses.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { createChangeIntegration } from '../../core/integrations/change-integration.ts';
import type { integrationWritingVariables, Parsed } from '../_runtime/environment.ts';
import { composeReplayRequests } from './replay-requests.ts';
import { composeRetrySchedules } from './retry-schedules.ts';

/** What PUT and PATCH need alike. */
export const composeIntegrationWriting = (
  environment: Parsed<typeof integrationWritingVariables>,
) => ({
  changeIntegration: createChangeIntegration({
    integrations: new DynamoDbIntegrations(createDocumentClient(), environment.INTEGRATIONS_TABLE),
    schedules: composeRetrySchedules(environment),
    replays: composeReplayRequests(environment, createQueueClient()),
    now: () => new Date(),
  }),
  hosts: new DnsHostAddresses(),
  guard: { allowLoopback: environment.ALLOW_LOOPBACK },
});
