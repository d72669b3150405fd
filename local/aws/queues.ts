import { type BuildAppOptions, buildApp } from 'fauxqs';
import { ACCOUNT_ID, arn, REGION } from '../arn.ts';
import type { HttpAnswer, HttpRequest } from '../http-server.ts';
import { queueUrl } from '../template/resource-types.ts';
import { AwsError } from './answers.ts';
import { type ReceivedMessage, type SqsQueue, Store } from './fauxqs-internals.ts';
import { type LongPollOptions, longPoll, messagesOrAbort } from './long-poll.ts';
import { rememberMessageGroups } from './message-groups.ts';

export interface Queues {
  handle(request: HttpRequest): Promise<HttpAnswer>;
  create(name: string, attributes: Record<string, string>): void;
  /**
   * Receives up to `maximum` messages. If there are none, waits `waitMs` or until the signal
   * aborts.
   */
  receive(queueArn: string, options: ReceiveOptions): Promise<QueueMessage[]>;
  delete(queueArn: string, receiptHandle: string): void;
  /** Returns false when there is no such queue. */
  send(queueArn: string, body: string): Promise<boolean>;
  stop(): Promise<void>;
}

interface ReceiveOptions {
  maximum: number;
  waitMs: number;
  signal: AbortSignal;
}

export interface QueueMessage extends ReceivedMessage {
  attributes: Record<string, string>;
}

/** SQS, emulated by fauxqs: in memory and without a socket of its own. */
export const createQueues = (awsOrigin: string): Queues => {
  const store = new Store();
  // A client sends to the host of the queue URL, even if it was given another endpoint.
  store.buildQueueUrl = (name) => queueUrl(name, awsOrigin);
  const stores = { sqsStore: store } as NonNullable<BuildAppOptions['stores']>;
  const app = buildApp({ logger: false, defaultRegion: REGION, stores });
  rememberMessageGroups(app, store);

  const inject = injectInto(app);
  return {
    handle: (request) => longPoll(request, { inject, queueOf: (url) => store.getQueue(url) }),
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
    delete: (queueArn, receiptHandle) => {
      store.getQueueByArn(queueArn)?.deleteMessage(receiptHandle);
    },
    send: async (queueArn, body) => {
      const queue = store.getQueueByArn(queueArn);
      queue?.enqueue(Store.createMessage(body));
      return queue !== undefined;
    },
    stop: async () => {
      store.shutdown();
      await app.close();
    },
  };
};

const injectInto =
  (app: ReturnType<typeof buildApp>): LongPollOptions['inject'] =>
  async (request) => {
    const { 'content-length': _length, ...headers } = request.headers;
    const answer = await app.inject({ method: 'POST', url: '/', headers, payload: request.body });
    // fauxqs answers 500 when a member of the request has a wrong type.
    if (answer.statusCode >= 500) throw new AwsError('MalformedInput', 'The request is malformed.');
    return {
      status: answer.statusCode,
      headers: Object.entries(answer.headers)
        .filter(([name]) => /^(content-type|x-amzn-)/.test(name))
        .map(([name, value]) => [name, String(value)]),
      body: answer.rawPayload,
    };
  };

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
