import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { createDocumentClient, createQueueClient } from '../../../adapters/aws-sdk/aws-clients.ts';
import { newWebhookSecret } from '../../../adapters/crypto/random-ids.ts';
import { DynamoDbIntegrationWriter } from '../../../adapters/dynamodb/integrations/integration-writer.ts';
import { SqsEventsQueue } from '../../../adapters/sqs/sqs-operator-queues.ts';
import { buildKeepCanary } from '../../../core/delivery/canary.ts';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import {
  buildChangeIntegration,
  buildPause,
} from '../../../core/integration/change-integration.ts';
import { composeSecretSealer } from '../../composition/secret-sealer.ts';
import { composeReplayRequests, composeRetrySchedules } from '../../composition/troubles.ts';
import { sealingVariables, text, troubleVariables } from '../../runtime/environment.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  ...sealingVariables,
  ...troubleVariables,
  EVENTS_QUEUE_URL: text,
  CANARY_URL: text,
});

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const queues = createQueueClient();
  const now = () => new Date();
  const ports = {
    integrations: new DynamoDbIntegrationWriter(client, environment.INTEGRATIONS_TABLE),
    secrets: composeSecretSealer(environment, client),
    settingsChange: buildSettingsChange({
      schedules: composeRetrySchedules(environment),
      replays: composeReplayRequests(environment, queues),
    }),
    newWebhookSecret,
    now,
    pause: buildPause({ random: Math.random, sleep }),
  };
  return {
    keepCanary: buildKeepCanary({ ...ports, changeIntegration: buildChangeIntegration(ports) }),
    events: new SqsEventsQueue(queues, environment.EVENTS_QUEUE_URL),
    url: environment.CANARY_URL,
    newEventId: randomUUID,
    now,
  };
};
