import type { AddressInfo } from 'node:net';
import {
  CreateQueueCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';

/** What one SendMessageBatch carried. */
export type SentBatch = readonly { readonly Id: string; readonly MessageGroupId?: string }[];

export interface EmulatedQueues {
  readonly client: SQSClient;
  /** Every SendMessageBatch so far. fauxqs itself forgets the groups of a standard queue. */
  readonly sentBatches: SentBatch[];
  /** Makes an empty queue and gives its URL, which no other queue has. */
  createQueue(attributes?: Record<string, string>): Promise<string>;
  /** Every message in the queue, with its attributes. */
  drain(queueUrl: string): Promise<Message[]>;
  stop(): Promise<void>;
}

const { INVALID_MESSAGE_BODY_CHAR: fauxqsRefuses }: { INVALID_MESSAGE_BODY_CHAR: RegExp } =
  await import(new URL('sqs/sqsTypes.js', import.meta.resolve('fauxqs')).href);

/** SQS takes every character beyond the basic plane; fauxqs takes their two halves for strays. */
const BEYOND_THE_BASIC_PLANE = /[\u{10000}-\u{10FFFF}]/gu;
const refuses = fauxqsRefuses.test.bind(fauxqsRefuses);
fauxqsRefuses.test = (text) => refuses(text.replace(BEYOND_THE_BASIC_PLANE, ''));

/** SQS by fauxqs, on a port of its own. */
export const startQueues = async (): Promise<EmulatedQueues> => {
  const app = buildApp({ logger: false });
  const sentBatches: SentBatch[] = [];
  app.addHook('preHandler', async ({ body }) => {
    const { Entries } = body as { Entries?: SentBatch };
    if (Entries !== undefined) sentBatches.push(structuredClone(Entries));
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
    createQueue: async (attributes = {}) => {
      queues += 1;
      const { QueueUrl = '' } = await client.send(
        new CreateQueueCommand({ QueueName: `queue-${queues}`, Attributes: attributes }),
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
