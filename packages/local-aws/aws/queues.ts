import { ACCOUNT_ID, arn, REGION } from '../arn.ts';
import type { HttpAnswer } from '../http-server.ts';
import { queueUrl } from '../template/stack-scope.ts';
import { AwsError, type ParsedAwsRequest } from './aws-request.ts';
import { keepMessageGroups, makeQueuesFair } from './fair-queues.ts';
import {
  type ReceivedMessage,
  SqsError,
  type SqsQueue,
  Store,
  sqsActions,
} from './fauxqs-internals.ts';

export interface Queues {
  handle(request: Pick<ParsedAwsRequest, 'headers' | 'input' | 'clientGone'>): Promise<HttpAnswer>;
  create(name: string, attributes: Record<string, string>): void;
  /** Receives up to `maximum` messages. Waits up to `waitMs` for a first one. */
  receive(queueArn: string, options: ReceiveOptions): Promise<QueueMessage[]>;
  /** How many messages can be received. */
  waiting(queueArn: string): number;
  delete(queueArn: string, receiptHandle: string): void;
  /** Returns false when there is no such queue. */
  send(queueArn: string, body: string): Promise<boolean>;
  /** Of the oldest message of a queue by name; undefined for an empty queue, and for none. */
  oldestAgeMs(name: string): number | undefined;
  stop(): void;
}

interface ReceiveOptions {
  maximum: number;
  waitMs: number;
  signal: AbortSignal;
}

export interface QueueMessage extends ReceivedMessage {
  attributes: Record<string, string>;
}

/** SQS, emulated by fauxqs: in memory and without a server of its own; its standard queues are fair. */
export const createQueues = (awsOrigin: string): Queues => {
  const store = new Store();
  // A client sends to the host of the queue URL, even if it was given another endpoint.
  store.buildQueueUrl = (name) => queueUrl(name, awsOrigin);
  store.region = REGION;
  makeQueuesFair(store);
  return {
    handle: async ({ headers, input, clientGone }) => {
      const operation = String(headers['x-amz-target']).replace('AmazonSQS.', '');
      const action = sqsActions.get(operation);
      if (!action) throw new AwsError('InvalidAction', `There is no operation ${operation}.`);
      try {
        keepMessageGroups(input);
        const act = async (given: object) => action(given, store, { headers }) as ReceiveOutput;
        const poll = input as ReceiveInput;
        const queue = operation === 'ReceiveMessage' && store.getQueue(String(poll.QueueUrl));
        return sqsAnswer(
          await (queue ? longPoll(poll, { receive: act, queue, clientGone }) : act(poll)),
        );
      } catch (error) {
        if (error instanceof SqsError) return sqsErrorAnswer(error);
        // fauxqs throws something else when the input, or a member of it, has a wrong type.
        throw new AwsError('MalformedInput', 'The request is malformed.');
      }
    },
    create: (name, attributes) => {
      store.createQueue(name, queueUrl(name, awsOrigin), arn('sqs', name), attributes);
    },
    receive: async (queueArn, { maximum, waitMs, signal }) => {
      const queue = store.getQueueByArn(queueArn);
      if (!queue) throw new Error(`There is no queue ${queueArn}`);
      const dequeue = () => queue.dequeue(maximum, undefined, (dead) => store.getQueueByArn(dead));
      let messages = dequeue();
      if (messages.length === 0 && waitMs > 0 && !signal.aborted) {
        await messagesOrAbort(queue, { waitMs, signal });
        if (!signal.aborted) messages = dequeue();
      }
      return messages.map((message) => ({ ...message, attributes: attributesOf(message, queue) }));
    },
    waiting: (queueArn) =>
      Number(store.getQueueByArn(queueArn)?.getAttribute('ApproximateNumberOfMessages')),
    delete: (queueArn, receiptHandle) => {
      store.getQueueByArn(queueArn)?.deleteMessage(receiptHandle);
    },
    send: async (queueArn, body) => {
      const queue = store.getQueueByArn(queueArn);
      queue?.enqueue(Store.createMessage(body));
      return queue !== undefined;
    },
    oldestAgeMs: (name) => {
      const queue = store.getQueueByName(name);
      const sent = queue ? sentTimesIn(queue) : [];
      return sent.length > 0 ? Date.now() - sent.reduce((a, b) => Math.min(a, b)) : undefined;
    },
    stop: () => store.shutdown(),
  };
};

/** In milliseconds since 1970. */
const sentTimesIn = (queue: SqsQueue): number[] => {
  const { ready, delayed, inflight } = queue.inspectMessages();
  const messages = [...ready, ...delayed, ...inflight.map(({ message }) => message)];
  return messages.map(({ sentTimestamp }) => sentTimestamp);
};

const CONTENT_TYPE = ['content-type', 'application/x-amz-json-1.0'] as const;

const sqsAnswer = (output: unknown): HttpAnswer => ({
  status: 200,
  headers: [CONTENT_TYPE],
  body: JSON.stringify(output ?? {}),
});

const sqsErrorAnswer = (error: InstanceType<typeof SqsError>): HttpAnswer => ({
  status: error.statusCode,
  headers: [CONTENT_TYPE, ['x-amzn-query-error', error.queryErrorHeader]],
  body: JSON.stringify(error),
});

const attributesOf = ({ ReceiptHandle }: ReceivedMessage, queue: SqsQueue) => {
  const message = queue.inflightMessages.get(ReceiptHandle)?.message;
  const attributes = {
    ApproximateReceiveCount: message?.approximateReceiveCount,
    SentTimestamp: message?.sentTimestamp,
    SenderId: ACCOUNT_ID,
    ApproximateFirstReceiveTimestamp: message?.approximateFirstReceiveTimestamp,
    MessageGroupId: message?.messageGroupId,
    MessageDeduplicationId: message?.messageDeduplicationId,
    SequenceNumber: message?.sequenceNumber,
  };
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
};

/** The input and output of ReceiveMessage, as far as a poll needs them. */
interface ReceiveInput {
  QueueUrl: string;
  WaitTimeSeconds?: unknown;
}

interface ReceiveOutput {
  Messages?: readonly unknown[] | undefined;
}

interface LongPollOptions {
  receive: (input: ReceiveInput) => Promise<ReceiveOutput>;
  queue: SqsQueue;
  clientGone: AbortSignal;
}

/** fauxqs would give a message to a poll whose client has gone. Here such a poll ends. */
const longPoll = async (
  input: ReceiveInput,
  { receive, queue, clientGone }: LongPollOptions,
): Promise<ReceiveOutput> => {
  const wait = Number(input.WaitTimeSeconds ?? queue.attributes.ReceiveMessageWaitTimeSeconds);
  if (!(wait > 0 && wait <= 20)) return receive(input);
  const deadlineMs = performance.now() + wait * 1_000;
  for (;;) {
    const output = await receive({ ...input, WaitTimeSeconds: 0 });
    const waitMs = deadlineMs - performance.now();
    if (output.Messages || waitMs <= 0) return output;
    await messagesOrAbort(queue, { waitMs, signal: clientGone });
    if (clientGone.aborted) return output;
  }
};

const messagesOrAbort = async (
  queue: SqsQueue,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => resolve();
  signal.addEventListener('abort', wake);
  queue.waitForMessages(waitMs / 1_000).then(resolve);
  await promise;
  signal.removeEventListener('abort', wake);
};
