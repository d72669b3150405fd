import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import { SqsDeadLetterQueue, SqsRedriveTarget } from '../adapters/sqs/sqs-dead-letter-queue.ts';
import type { DeadLetterQueue, RedriveTarget } from '../core/delivery/dead-letter-queue.ts';

/** Of each dead-letter queue the output with its URL, and of the queue that its letters go back to. */
const QUEUES = {
  events: { letters: 'EventsDeadLetterQueueUrl', source: 'EventsQueueUrl' },
  deliveries: { letters: 'DeliveriesDeadLetterQueueUrl', source: 'DeliveriesQueueUrl' },
  'slow-lane': { letters: 'SlowLaneDeadLetterQueueUrl', source: 'SlowLaneQueueUrl' },
  replays: { letters: 'ReplayDeadLetterQueueUrl', source: 'ReplayQueueUrl' },
  retries: { letters: 'RetryDeadLetterQueueUrl', source: 'RetryQueueUrl' },
  schedules: { letters: 'ScheduleDeadLetterQueueUrl' },
  'log-stream': { letters: 'LogStreamDeadLetterQueueUrl' },
} as const;

export type QueueName = keyof typeof QUEUES;

export const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[];

/** Queues whose letters are reports of others, and no messages that a reader of ours takes. */
export const isRedrivable = (name: QueueName): boolean => 'source' in QUEUES[name];

export interface DeadLetterQueues {
  queue(name: QueueName): Promise<DeadLetterQueue>;
  /** Throws for a queue that is not redrivable. */
  target(name: QueueName): Promise<RedriveTarget>;
}

/** Ten letters of 1 MiB over a slow connection, after a long poll. */
const RECEIVE_TIMEOUT_MS = 60_000;

type Output =
  | (typeof QUEUES)[QueueName]['letters']
  | Extract<(typeof QUEUES)[QueueName], { source: string }>['source'];

export const connectDeadLetterQueues = (
  config: SQSClientConfig,
  findName: (output: Output) => Promise<string>,
): DeadLetterQueues => {
  const client = new SQSClient({
    ...config,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: RECEIVE_TIMEOUT_MS },
  });
  return {
    queue: async (name) => new SqsDeadLetterQueue(client, await findName(QUEUES[name].letters)),
    target: async (name) => {
      const names = QUEUES[name];
      if (!('source' in names)) throw new Error(`Nothing reads the letters of ${name}.`);
      return new SqsRedriveTarget(client, await findName(names.source));
    },
  };
};
