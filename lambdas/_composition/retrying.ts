import { createDocumentClient } from '../../adapters/dynamodb/document-client.ts';
import { DynamoDbArrivals } from '../../adapters/dynamodb/dynamodb-arrivals.ts';
import { DynamoDbDeliveryStates } from '../../adapters/dynamodb/dynamodb-delivery-states.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/dynamodb-integrations.ts';
import { createQueueClient } from '../../adapters/sqs/queue-client.ts';
import { createEndTrouble } from '../../core/delivery/end-trouble.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import type { Parsed, retryingVariables } from '../_runtime/environment.ts';
import { composeAttemptDelivery } from './attempt-delivery.ts';
import { composePendingEvents } from './pending-events.ts';
import { composeReplayRequests } from './replay-requests.ts';
import { composeRetrySchedules } from './retry-schedules.ts';

/** What it takes to retry an integration, hourly or now. */
export const composeRetrying = (environment: Parsed<typeof retryingVariables>) => {
  const client = createDocumentClient();
  const states = new DynamoDbDeliveryStates(client, environment.INTEGRATIONS_TABLE);
  const schedules = composeRetrySchedules(environment);
  const replays = composeReplayRequests(environment, createQueueClient());
  const now = () => new Date();
  const retryIntervalMs = environment.RETRY_INTERVAL_MS;
  return {
    integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
    states,
    pendingEvents: composePendingEvents(environment, client),
    arrivals: new DynamoDbArrivals(client, environment.DELIVERY_LOG_TABLE),
    attemptDelivery: composeAttemptDelivery(environment, client),
    enterTrouble: createEnterTrouble({ states, schedules, now, retryIntervalMs }),
    endTrouble: createEndTrouble({ states, replays, schedules }),
    replays,
    schedules,
    now,
    retryIntervalMs,
  };
};
