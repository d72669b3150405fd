import { SQSClient } from '@aws-sdk/client-sqs';
import { SqsDeadLetterQueue, SqsRedriveTarget } from '../adapters/sqs/sqs-dead-letter-queue.ts';
import type { DeadLetterQueue, RedriveTarget } from '../core/delivery/dead-letters.ts';
import type { ClientConfig } from './connection.ts';
import {
  type DeadLetterQueueName,
  deadLetterQueueOutput,
  queueOutput,
  type WorkQueueName,
} from './stage-queues.ts';

export interface DeadLetterQueues {
  queue(name: DeadLetterQueueName): Promise<DeadLetterQueue>;
  target(name: WorkQueueName): Promise<RedriveTarget>;
}

/** Ten letters of 1 MiB over a slow connection, after a long poll. */
const RECEIVE_TIMEOUT_MS = 60_000;

export const connectDeadLetterQueues = (
  config: ClientConfig,
  findName: (output: string) => Promise<string>,
): DeadLetterQueues => {
  const client = new SQSClient({
    ...config,
    requestHandler: { ...config.requestHandler, requestTimeout: RECEIVE_TIMEOUT_MS },
  });
  return {
    queue: async (name) =>
      new SqsDeadLetterQueue(client, await findName(deadLetterQueueOutput(name))),
    target: async (name) => new SqsRedriveTarget(client, await findName(queueOutput(name))),
  };
};
