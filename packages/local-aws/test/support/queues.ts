import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import {
  CreateQueueCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { afterAll, beforeAll } from 'vitest';
// Makes fauxqs take the characters that SQS takes.
import '../../aws/fauxqs-internals.ts';
import { testCredentials } from './test-credentials.ts';

/** What one batch request carried. */
type SentBatch = readonly {
  readonly Id: string;
  readonly MessageGroupId?: string;
  readonly VisibilityTimeout?: number;
}[];

interface EmulatedQueues {
  readonly client: SQSClient;
  /** Every batch request so far. fauxqs itself forgets the groups of a standard queue. */
  readonly sentBatches: SentBatch[];
  /** Has each later batch request fail as a whole that has such entries. */
  failBatches(isFailing: (entries: SentBatch) => boolean): void;
  /** Makes an empty queue and gives its URL, which no other queue has. */
  createQueue(attributes?: Record<string, string>): Promise<string>;
  /** Every message in the queue, with its attributes. */
  drain(queueUrl: string): Promise<Message[]>;
  stop(): Promise<void>;
}

/** SQS by fauxqs, on a port of its own; or at the address `SQS_AT`. */
const startServer = async () => {
  const { SQS_AT } = process.env;
  if (SQS_AT !== undefined) return { endpoint: SQS_AT, close: async () => {} };
  const app = buildApp({ logger: false });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, close: () => app.close() };
};

const startQueues = async (): Promise<EmulatedQueues> => {
  const { endpoint, close } = await startServer();
  const sentBatches: SentBatch[] = [];
  let isFailing = (_entries: SentBatch): boolean => false;
  const client = new SQSClient({
    endpoint,
    region: 'eu-central-1',
    credentials: testCredentials(),
  });
  client.middlewareStack.add(
    (next) => async (command) => {
      const { Entries } = command.input as { Entries?: SentBatch };
      if (Entries !== undefined) {
        sentBatches.push(structuredClone(Entries));
        if (isFailing(Entries)) throw Object.assign(new Error('down'), { name: 'InternalError' });
      }
      return next(command);
    },
    { step: 'initialize', name: 'batches' },
  );
  return {
    client,
    sentBatches,
    failBatches: (condition) => {
      isFailing = condition;
    },
    createQueue: async (attributes = {}) => {
      const { QueueUrl = '' } = await client.send(
        new CreateQueueCommand({
          QueueName: `queue-${randomUUID()}${attributes.FifoQueue === 'true' ? '.fifo' : ''}`,
          Attributes: attributes,
        }),
      );
      return QueueUrl;
    },
    drain: async (queueUrl) => {
      const messages: Message[] = [];
      for (;;) {
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({
            QueueUrl: queueUrl,
            MaxNumberOfMessages: 10,
            MessageAttributeNames: ['All'],
            MessageSystemAttributeNames: ['All'],
          }),
        );
        if (Messages.length === 0) return messages;
        messages.push(...Messages);
      }
    },
    stop: async () => {
      client.destroy();
      await close();
    },
  };
};

/** SQS while the tests of a suite run. */
export const useQueues = (): Omit<EmulatedQueues, 'stop'> => {
  let queues: EmulatedQueues;
  beforeAll(async () => {
    queues = await startQueues();
  });
  afterAll(() => queues.stop());
  return {
    get client() {
      return queues.client;
    },
    get sentBatches() {
      return queues.sentBatches;
    },
    failBatches: (isFailing) => queues.failBatches(isFailing),
    createQueue: (attributes) => queues.createQueue(attributes),
    drain: (queueUrl) => queues.drain(queueUrl),
  };
};
