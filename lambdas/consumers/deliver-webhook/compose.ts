import * as z from 'zod';
import { createDocumentClient, createQueueClient } from '../../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbPendingStore } from '../../../adapters/dynamodb/pending-events/pending-store.ts';
import { DynamoDbSlotStore } from '../../../adapters/dynamodb/pending-events/slot-store.ts';
import { gatheredQueue, gatheredReads } from '../../../adapters/gathered-calls.ts';
import { SqsDeliveryQueue } from '../../../adapters/sqs/sqs-delivery-queue.ts';
import { type Lane, SLOW_AFTER_MS } from '../../../core/delivery/lanes.ts';
import { buildDelivering } from '../../../core/delivery/sending/delivering.ts';
import { composeAttempting } from '../../composition/attempting.ts';
import { composeQueueDeps } from '../../composition/queues.ts';
import { deliveringVariables, type Parsed, text } from '../../runtime/environment.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  ...deliveringVariables,
  DELIVERIES_QUEUE_URL: text,
  DELIVERIES_DEAD_LETTER_QUEUE_URL: text,
});

export const compose = (environment: z.output<typeof environmentSchema>) =>
  composeDelivering(environment, {
    lane: 'fast',
    queueUrl: environment.DELIVERIES_QUEUE_URL,
    deadLetterQueueUrl: environment.DELIVERIES_DEAD_LETTER_QUEUE_URL,
  });

/** Composes the functions that deliver the messages of a lane. */
export const composeDelivering = (
  environment: Parsed<typeof deliveringVariables>,
  { lane, ...queue }: { lane: Lane; queueUrl: string; deadLetterQueueUrl: string },
) => {
  const clients = { tables: createDocumentClient(), queues: createQueueClient() };
  const ports = composeAttempting(environment, clients);
  const { PENDING_EVENTS_TABLE, SLOW_LANE_QUEUE_URL } = environment;
  return {
    ...composeQueueDeps(environment.STAGE, clients.queues, queue),
    startBatch: buildDelivering(
      {
        ...ports,
        slots: new DynamoDbSlotStore(clients.tables, PENDING_EVENTS_TABLE),
        pendingEvents: new DynamoDbPendingStore(clients.tables, PENDING_EVENTS_TABLE),
        slowLane: gatheredQueue(new SqsDeliveryQueue(clients.queues, SLOW_LANE_QUEUE_URL)),
        afterStoring: {
          integrations: gatheredReads(ports.integrations),
          replays: ports.replays,
        },
        isSlow,
      },
      {
        lane,
        backoff: {
          firstDelayMs: environment.BACKOFF_FIRST_DELAY_MS,
          maxDelayMs: environment.BACKOFF_MAX_DELAY_MS,
          windowMs: environment.BACKOFF_WINDOW_MS,
        },
        busyAfter: environment.BUSY_AFTER,
        failedAfter: environment.FAILED_AFTER,
        retryIntervalMs: environment.RETRY_INTERVAL_MS,
        backoffLimits: { most: environment.BACKOFF_SLOTS, probes: environment.PROBES },
      },
    ),
    attemptLines: environment.ATTEMPT_LINES,
  };
};

/** Resolves to true as soon as an attempt is slow, to false if the attempt ends before. */
const isSlow = async (attempt: Promise<unknown>): Promise<boolean> => {
  const slow = Promise.withResolvers<boolean>();
  const timer = setTimeout(slow.resolve, SLOW_AFTER_MS, true);
  const ended = attempt.then(
    () => false,
    () => false,
  );
  return Promise.race([slow.promise, ended]).finally(() => clearTimeout(timer));
};
