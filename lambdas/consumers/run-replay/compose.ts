import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { createDocumentClient, createQueueClient } from '../../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbDeliveryLogReader } from '../../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import { DynamoDbIntegrationReader } from '../../../adapters/dynamodb/integrations/integration-reader.ts';
import { DynamoDbTroubleStates } from '../../../adapters/dynamodb/integrations/trouble-states.ts';
import { DynamoDbPendingEvents } from '../../../adapters/dynamodb/pending-events/pending-events.ts';
import { SqsDeliveryQueue } from '../../../adapters/sqs/sqs-delivery-queue.ts';
import { buildRunReplay } from '../../../core/delivery/pending/run-replay.ts';
import { buildRunRecovery } from '../../../core/delivery/recovery/run-recovery.ts';
import { composeDeliveryLog } from '../../composition/attempting.ts';
import { composeQueueDeps } from '../../composition/queues.ts';
import { composeReplayRequests } from '../../composition/troubles.ts';
import { deliveryLogVariables, positiveInteger, text } from '../../runtime/environment.ts';
import { reportUnreadable } from '../../runtime/retry-reports.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  STAGE: text,
  PENDING_EVENTS_TABLE: text,
  INTEGRATIONS_TABLE: text,
  ...deliveryLogVariables,
  DELIVERIES_QUEUE_URL: text,
  SLOW_LANE_QUEUE_URL: text,
  REPLAY_QUEUE_URL: text,
  REPLAY_DEAD_LETTER_QUEUE_URL: text,
  RETRY_INTERVAL_MS: positiveInteger,
});

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  const queues = createQueueClient();
  const queueDeps = composeQueueDeps(environment.STAGE, queues, {
    queueUrl: environment.REPLAY_QUEUE_URL,
    deadLetterQueueUrl: environment.REPLAY_DEAD_LETTER_QUEUE_URL,
    newGroupId: randomUUID,
  });
  const ports = {
    integrations: new DynamoDbIntegrationReader(client, environment.INTEGRATIONS_TABLE),
    states: new DynamoDbTroubleStates(client, environment.INTEGRATIONS_TABLE),
    pendingEvents: new DynamoDbPendingEvents(client, environment.PENDING_EVENTS_TABLE, {
      onUnreadable: reportUnreadable(queueDeps),
    }),
    deliveries: new SqsDeliveryQueue(queues, environment.DELIVERIES_QUEUE_URL),
    slowLane: new SqsDeliveryQueue(queues, environment.SLOW_LANE_QUEUE_URL),
    deliveryLog: composeDeliveryLog(environment),
    deliveryLogReader: new DynamoDbDeliveryLogReader(client, environment.DELIVERY_LOG_TABLE, {
      now: queueDeps.now,
    }),
    replays: composeReplayRequests(environment, queues),
    now: queueDeps.now,
    retryIntervalMs: environment.RETRY_INTERVAL_MS,
    pause: (milliseconds: number) => setTimeout(milliseconds),
  };
  return {
    ...queueDeps,
    runReplay: buildRunReplay(ports),
    runRecovery: buildRunRecovery(ports),
  };
};
