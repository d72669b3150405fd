import type { SQSClient } from '@aws-sdk/client-sqs';
import { SqsMessageVisibility } from '../../adapters/sqs/sqs-message-visibility.ts';
import type { QueueDeps } from '../deliver/runtime/sqs-batch.ts';
import { createLogger, createMetrics } from '../runtime/reporting.ts';

/** Composes what every function of a queue has: how it reports, and how records come back. */
export const composeQueueDeps = (
  stage: string,
  client: SQSClient,
  queueUrl: string,
): QueueDeps => ({
  visibility: new SqsMessageVisibility(client, queueUrl),
  now: () => new Date(),
  random: Math.random,
  logger: createLogger(),
  metrics: createMetrics(stage),
});
