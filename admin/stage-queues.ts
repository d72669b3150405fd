import { SQSClient } from '@aws-sdk/client-sqs';
import { SqsDeadLetterQueue } from '../adapters/sqs/sqs-operator-queues.ts';
import type { DeadLetterQueue } from '../core/delivery/dead-letters.ts';
import type { StageStacks } from './stage-stacks.ts';
import type { ClientConfig } from './target.ts';

/** The queues that work is in, and where their dead letters are; by name of the output with the URL. */
const WORK_QUEUES = {
  events: 'Events',
  deliveries: 'Deliveries',
  'slow-lane': 'SlowLane',
  replays: 'Replay',
  retries: 'Retry',
  /** Only in a stage that sends e-mails. */
  notices: 'Notice',
} as const;

/** Queues of reports that no reader takes: of Scheduler, and of Lambda about tables' streams. */
const REPORT_QUEUES = {
  schedules: 'Schedule',
  'log-stream': 'LogStream',
  'integration-stream': 'IntegrationStream',
} as const;

type WorkQueueName = keyof typeof WORK_QUEUES;
export type DeadLetterQueueName = WorkQueueName | keyof typeof REPORT_QUEUES;

const OUTPUT_PREFIXES = { ...WORK_QUEUES, ...REPORT_QUEUES };

export const DEAD_LETTER_QUEUE_NAMES = Object.keys(OUTPUT_PREFIXES) as DeadLetterQueueName[];

const isWorkQueue = (name: DeadLetterQueueName): name is WorkQueueName => name in WORK_QUEUES;

const queueOutput = (name: WorkQueueName): string => `${OUTPUT_PREFIXES[name]}QueueUrl`;

const deadLetterQueueOutput = (name: DeadLetterQueueName): string =>
  `${OUTPUT_PREFIXES[name]}DeadLetterQueueUrl`;

/** Every queue that a stage can have: those of work first, then all dead letters. */
export const QUEUES = [
  ...DEAD_LETTER_QUEUE_NAMES.filter(isWorkQueue).map((queue) => ({
    queue,
    isDeadLetterQueue: false,
    output: queueOutput(queue),
  })),
  ...DEAD_LETTER_QUEUE_NAMES.map((queue) => ({
    queue,
    isDeadLetterQueue: true,
    output: deadLetterQueueOutput(queue),
  })),
];

export interface DeadLetterQueues {
  /** Of the stage. */
  names(): Promise<readonly DeadLetterQueueName[]>;
  queue(name: DeadLetterQueueName): Promise<DeadLetterQueue>;
}

/** Ten letters of 1 MiB over a slow connection, after a long poll. */
const RECEIVE_TIMEOUT_MS = 60_000;

export const connectDeadLetterQueues = (
  config: ClientConfig,
  { findName, stack }: StageStacks,
): DeadLetterQueues => {
  const client = new SQSClient({
    ...config,
    requestHandler: { ...config.requestHandler, requestTimeout: RECEIVE_TIMEOUT_MS },
  });
  return {
    names: async () => {
      const { outputs } = await stack('service');
      return DEAD_LETTER_QUEUE_NAMES.filter((name) => deadLetterQueueOutput(name) in outputs);
    },
    queue: async (name) =>
      new SqsDeadLetterQueue(client, await findName(deadLetterQueueOutput(name))),
  };
};
