import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { createDocumentClient, createQueueClient } from '../../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbDeliveryIndex } from '../../../adapters/dynamodb/delivery-index/delivery-index.ts';
import { deliveryAddedBy } from '../../../adapters/dynamodb/delivery-index/delivery-index-changes.ts';
import { countedIn } from '../../../adapters/dynamodb/delivery-log/delivery-log-changes.ts';
import { DynamoDbAttemptCounts } from '../../../adapters/dynamodb/statistics/statistics.ts';
import { SqsDeadLetters } from '../../../adapters/sqs/sqs-dead-letters.ts';
import { buildCountAttempts } from '../../../core/delivery/statistics/count-attempts.ts';
import { text } from '../../runtime/environment.ts';
import { createLogger, createMetrics } from '../../runtime/reporting.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  DELIVERY_INDEX_TABLE: text,
  STATISTICS_TABLE: text,
  LOG_STREAM_DEAD_LETTER_QUEUE_URL: text,
  STAGE: text,
});

export const compose = (environment: z.output<typeof environmentSchema>) => ({
  additionsOf: (change: unknown) => ({
    attempts: countedIn(change),
    delivery: deliveryAddedBy(change),
  }),
  index: new DynamoDbDeliveryIndex(createDocumentClient(), environment.DELIVERY_INDEX_TABLE),
  now: () => new Date(),
  sleep,
  countAttempts: buildCountAttempts({
    counts: new DynamoDbAttemptCounts(createDocumentClient(), environment.STATISTICS_TABLE),
  }),
  deadLetters: new SqsDeadLetters(
    createQueueClient(),
    environment.LOG_STREAM_DEAD_LETTER_QUEUE_URL,
  ),
  logger: createLogger(),
  metrics: createMetrics(environment.STAGE),
});
