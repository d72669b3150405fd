import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createQueueClient, createSchedulerClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbAttemptStates } from '../../adapters/dynamodb/integrations/attempt-states.ts';
import { DynamoDbIntegrations } from '../../adapters/dynamodb/integrations/integrations.ts';
import { sharedCalls } from '../../adapters/gathered-calls.ts';
import { EventBridgeRetrySchedules } from '../../adapters/scheduler/eventbridge-retry-schedules.ts';
import { SqsReplayRequests } from '../../adapters/sqs/sqs-replay-requests.ts';
import { buildBeginTrouble } from '../../core/delivery/trouble/begin-trouble.ts';
import type { Parsed, retryScheduleVariables, troubleVariables } from '../runtime/environment.ts';

export const composeRetrySchedules = (environment: Parsed<typeof retryScheduleVariables>) =>
  new EventBridgeRetrySchedules(createSchedulerClient(), {
    group: environment.SCHEDULE_GROUP,
    roleArn: environment.SCHEDULE_ROLE_ARN,
    queueArn: environment.RETRY_QUEUE_ARN,
    deadLetterQueueArn: environment.SCHEDULE_DEAD_LETTER_QUEUE_ARN,
    retryIntervalMs: environment.RETRY_INTERVAL_MS,
    now: () => new Date(),
  });

export const composeReplayRequests = (
  environment: { REPLAY_QUEUE_URL: string },
  client = createQueueClient(),
) =>
  new SqsReplayRequests(client, environment.REPLAY_QUEUE_URL, { newDeduplicationId: randomUUID });

/**
 * A replay can set thousands of events of one integration aside in a second. Each of 500 batches at
 * once counts its own after a second: an item, which takes 1,000 writes a second, gets half of them.
 */
export const SET_ASIDE_COUNTED_MS = 1_000;

/** Composes `troubles.begin` and its ports. */
export const composeBeginTrouble = (
  environment: Parsed<typeof troubleVariables>,
  client: DynamoDBDocumentClient,
) => {
  const integrations = new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE);
  const ports = {
    integrations,
    states: new DynamoDbAttemptStates(client, environment.INTEGRATIONS_TABLE, {
      countedMs: SET_ASIDE_COUNTED_MS,
    }),
    schedules: composeRetrySchedules(environment),
    replays: composeReplayRequests(environment),
    now: () => new Date(),
    retryIntervalMs: environment.RETRY_INTERVAL_MS,
  };
  // The records of a batch, which often begin the same trouble, then share all calls.
  const find = sharedCalls(
    (key: readonly [account: string, id: string]) => integrations.find(...key),
    (key) => key.join(' '),
  );
  const shared = { find: (account: string, id: string) => find([account, id]) };
  return { ...ports, troubles: { begin: buildBeginTrouble({ ...ports, integrations: shared }) } };
};
