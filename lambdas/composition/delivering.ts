import { createQueueClient } from '../../adapters/aws-clients.ts';
import { gatheredReads } from '../../adapters/gathered-reads.ts';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import { SqsDeliveryQueue } from '../../adapters/sqs/sqs-delivery-queue.ts';
import { buildWatchBatch, type Lane } from '../../core/delivery/lanes.ts';
import { buildStorePending } from '../../core/delivery/pending/pending-events.ts';
import { buildDeliverWebhook } from '../../core/delivery/sending/deliver-webhook.ts';
import { isSlow } from '../deliver/runtime/slow-attempts.ts';
import type { deliveringVariables, Parsed } from '../runtime/environment.ts';
import { composeAttempting } from './attempting.ts';
import { composeQueueDeps } from './queues.ts';

/** Composes the functions that deliver the messages of a lane. */
export const composeDelivering = (
  environment: Parsed<typeof deliveringVariables>,
  {
    lane,
    queueUrl,
    deadLetterQueueUrl,
  }: { lane: Lane; queueUrl: string; deadLetterQueueUrl: string },
) => {
  const ports = composeAttempting(environment);
  const queues = createQueueClient();
  return {
    ...composeQueueDeps(environment.STAGE, queues, queueUrl),
    deliverWebhook: buildDeliverWebhook({
      ...ports,
      lane,
      slowLane: new SqsDeliveryQueue(queues, environment.SLOW_LANE_QUEUE_URL),
      storePending: buildStorePending({
        ...ports,
        integrations: gatheredReads(ports.integrations),
      }),
      backoff: {
        firstDelayMs: environment.BACKOFF_FIRST_DELAY_MS,
        maxDelayMs: environment.BACKOFF_MAX_DELAY_MS,
        windowMs: environment.BACKOFF_WINDOW_MS,
      },
      busyAfter: environment.BUSY_AFTER,
      retryIntervalMs: environment.RETRY_INTERVAL_MS,
      backoffLimits: { most: environment.BACKOFF_SLOTS, probes: environment.PROBES },
      random: Math.random,
    }),
    watchBatch: buildWatchBatch({ ...ports, isSlow }),
    integrations: ports.integrations,
    deliveryLog: ports.deliveryLog,
    attemptLines: environment.ATTEMPT_LINES,
    deadLetters: new SqsDeadLetters(queues, deadLetterQueueUrl),
  };
};
