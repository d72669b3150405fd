import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { DnsHostAddresses } from '../../adapters/http/dns-host-addresses.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { createChangeIntegration } from '../../core/integrations/change-integration.ts';
import type {
  integrationChangingVariables,
  integrationWritingVariables,
  Parsed,
} from '../_runtime/environment.ts';
import { composeReplayRequests } from './replay-requests.ts';
import { composeRetrySchedules } from './retry-schedules.ts';

/** What every change of settings needs. */
export const composeIntegrationChanging = (
  environment: Parsed<typeof integrationChangingVariables>,
) => {
  const now = () => new Date();
  const changeIntegration = createChangeIntegration({
    integrations: new DynamoDbIntegrations(createDocumentClient(), environment.INTEGRATIONS_TABLE),
    schedules: composeRetrySchedules(environment),
    replays: composeReplayRequests(environment, createQueueClient()),
    now,
  });
  return { changeIntegration, now };
};

/** What PUT and PATCH need alike: they set an address. */
export const composeIntegrationWriting = (
  environment: Parsed<typeof integrationWritingVariables>,
) => ({
  ...composeIntegrationChanging(environment),
  hosts: new DnsHostAddresses(),
  guard: { allowLoopback: environment.ALLOW_LOOPBACK },
});
