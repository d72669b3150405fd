import type { SQSClient } from '@aws-sdk/client-sqs';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import { SqsMessageVisibility } from '../../adapters/sqs/sqs-message-visibility.ts';
import { createLogger, createMetrics } from '../runtime/reporting.ts';
import type { QueueDeps } from '../runtime/sqs-batch.ts';

interface Queue {
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
  /** For a FIFO queue. */
  readonly newGroupId?: () => string;
}

/** Composes the dependencies of every function that consumes a queue. */
export const composeQueueDeps = (
  stage: string,
  client: SQSClient,
  { queueUrl, deadLetterQueueUrl, newGroupId }: Queue,
): QueueDeps => ({
  visibility: new SqsMessageVisibility(client, queueUrl),
  deadLetters: new SqsDeadLetters(client, deadLetterQueueUrl, newGroupId && { newGroupId }),
  now: () => new Date(),
  random: Math.random,
  logger: createLogger(),
  metrics: createMetrics(stage),
});
