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

/** SQS by fauxqs, on a port of its own. */
const startQueues = async (): Promise<EmulatedQueues> => {
  const app = buildApp({ logger: false });
  const sentBatches: SentBatch[] = [];
  let isFailing = (_entries: SentBatch): boolean => false;
  app.addHook('preHandler', async ({ body }, reply) => {
    const { Entries } = body as { Entries?: SentBatch };
    if (Entries === undefined) return;
    sentBatches.push(structuredClone(Entries));
    if (isFailing(Entries)) reply.code(400).send({ __type: 'InternalError', message: 'down' });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const client = new SQSClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  let queues = 0;
  return {
    client,
    sentBatches,
    failBatches: (condition) => {
      isFailing = condition;
    },
    createQueue: async (attributes = {}) => {
      queues += 1;
      const { QueueUrl = '' } = await client.send(
        new CreateQueueCommand({
          QueueName: `queue-${queues}${attributes.FifoQueue === 'true' ? '.fifo' : ''}`,
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
      await app.close();
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
