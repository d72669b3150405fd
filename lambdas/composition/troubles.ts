import { randomUUID } from 'node:crypto';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createSchedulerClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbIntegrationReader } from '../../adapters/dynamodb/integrations/integration-reader.ts';
import { DynamoDbTroubleStates } from '../../adapters/dynamodb/integrations/trouble-states.ts';
import { sharedCalls } from '../../adapters/gathered-calls.ts';
import { EventBridgeRetrySchedules } from '../../adapters/scheduler/eventbridge-retry-schedules.ts';
import { SqsReplayRequests } from '../../adapters/sqs/sqs-replay-requests.ts';
import type { IntegrationReader } from '../../core/integration/integration.ts';
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
  client: SQSClient,
) =>
  new SqsReplayRequests(client, environment.REPLAY_QUEUE_URL, { newDeduplicationId: randomUUID });

/**
 * A replay can set thousands of events of one integration aside in a second. Each of 500 batches at
 * once counts its own after a second: an item, which takes 1,000 writes a second, gets half of them.
 */
const SET_ASIDE_COUNTED_MS = 1_000;

export interface TroubleClients {
  readonly tables: DynamoDBDocumentClient;
  readonly queues: SQSClient;
}

/**
 * Composes the ports of what begins troubles. Simultaneous reads of an integration, as by the records
 * of a batch that begin the same trouble, are one.
 */
export const composeTroublePorts = (
  environment: Parsed<typeof troubleVariables>,
  { tables, queues }: TroubleClients,
) => {
  const integrations = new DynamoDbIntegrationReader(tables, environment.INTEGRATIONS_TABLE);
  const find = sharedCalls(
    (key: readonly [account: string, id: string]) => integrations.find(...key),
    (key) => key.join(' '),
  );
  const shared: IntegrationReader = {
    find: (...key) => find(key),
    findAll: (keys) => integrations.findAll(keys),
  };
  return {
    integrations: shared,
    states: new DynamoDbTroubleStates(tables, environment.INTEGRATIONS_TABLE, {
      countedMs: SET_ASIDE_COUNTED_MS,
    }),
    schedules: composeRetrySchedules(environment),
    replays: composeReplayRequests(environment, queues),
    now: () => new Date(),
    retryIntervalMs: environment.RETRY_INTERVAL_MS,
  };
};
