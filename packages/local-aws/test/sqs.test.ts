import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeQueuesFair } from '../aws/fair-queues.ts';
import { type SqsQueue, type SqsStore, Store } from '../aws/fauxqs-internals.ts';
import { startTestRun, type TestRun } from './support/assembly.ts';
import { createClient, receive } from './support/clients.ts';

let run: TestRun;

beforeAll(async () => {
  run = await startTestRun({
    resources: {
      Queue: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 30 } },
      Fifo: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
    },
    outputs: { QueueUrl: { Value: { Ref: 'Queue' } }, FifoUrl: { Value: { Ref: 'Fifo' } } },
  });
});

afterAll(() => run.stop());

const sqs = () => createClient(SQSClient, run.aws);

describe('SQS in the embedded run', () => {
  it('gives queue URLs that a client can reach', async () => {
    const { QueueUrl } = await sqs().send(new GetQueueUrlCommand({ QueueName: 'test-Queue' }));
    expect(QueueUrl).toBe(`${run.aws}/000000000000/test-Queue`);
    expect(QueueUrl).toBe(run.outputs.QueueUrl);
    const created = await sqs().send(new CreateQueueCommand({ QueueName: 'another' }));
    expect(created.QueueUrl).toBe(`${run.aws}/000000000000/another`);
  });

  it('returns the message group in a standard queue, also from batches', async () => {
    const QueueUrl = run.outputs.QueueUrl;
    await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: [
          { Id: '1', MessageBody: 'one', MessageGroupId: 'a' },
          { Id: '2', MessageBody: 'two', MessageGroupId: 'b' },
          { Id: '3', MessageBody: 'three' },
        ],
      }),
    );
    const groups = (await receive(QueueUrl)).map(({ Body, Attributes }) => [
      Body,
      Attributes?.MessageGroupId,
    ]);
    expect(groups).toEqual([
      ['one', 'a'],
      ['two', 'b'],
      ['three', undefined],
    ]);
  });

  it('serves a quiet group before the backlog of a noisy group', async () => {
    const { QueueUrl } = await sqs().send(new CreateQueueCommand({ QueueName: 'shared' }));
    const send = (MessageGroupId: string, count: number) => {
      const Entries = Array.from({ length: count }, (_, index) => ({
        Id: `${index}`,
        MessageBody: MessageGroupId,
        MessageGroupId,
      }));
      return sqs().send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    };
    for (let batch = 0; batch < 4; batch += 1) await send('noisy', 10);
    for (let batch = 0; batch < 3; batch += 1) expect(await receive(QueueUrl)).toHaveLength(10);
    await send('quiet', 1);

    expect((await receive(QueueUrl, 2)).map(({ Body }) => Body)).toEqual(['quiet', 'noisy']);
  });

  it('keeps a message for the next poll when the one that waited has gone', async () => {
    const QueueUrl = run.outputs.QueueUrl;
    const gone = new AbortController();
    const poll = sqs().send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }), {
      abortSignal: gone.signal,
    });
    // After another complete request, the poll, which was sent first, waits.
    await sqs().send(new GetQueueUrlCommand({ QueueName: 'test-Queue' }));
    gone.abort();
    await expect(poll).rejects.toThrow();
    await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: 'kept' }));
    expect((await receive(QueueUrl)).map(({ Body }) => Body)).toEqual(['kept']);
  });

  it.each(['👋 beyond U+FFFF', 'tab\tand line\n'])('accepts the body "%s"', async (MessageBody) => {
    const QueueUrl = run.outputs.QueueUrl;
    await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody }));
    expect((await receive(QueueUrl)).map(({ Body }) => Body)).toEqual([MessageBody]);
  });

  it.each(['\u0000', '\uD800', '\uFFFF'])('refuses the body %j', async (MessageBody) => {
    const sending = sqs().send(
      new SendMessageCommand({ QueueUrl: run.outputs.QueueUrl, MessageBody }),
    );
    await expect(sending).rejects.toThrow(
      expect.objectContaining({ name: 'AWS.SimpleQueueService.InvalidMessageContents' }),
    );
  });

  it('names a FIFO queue as SQS demands', () => {
    expect(run.outputs.FifoUrl).toBe(`${run.aws}/000000000000/test-Fifo.fifo`);
  });
});

describe('a fair queue of the embedded run', () => {
  let store: SqsStore;
  let fair: SqsQueue;
  beforeEach(() => {
    store = new Store();
    makeQueuesFair(store);
    fair = createQueue('fair', { VisibilityTimeout: '30' });
  });

  const createQueue = (name: string, attributes: Record<string, string>) =>
    store.createQueue(
      name,
      `http://127.0.0.1:4566/000000000000/${name}`,
      `arn:aws:sqs:us-east-1:000000000000:${name}`,
      attributes,
    );

  const put = (messageGroupId: string, count: number): void => {
    for (let number = 0; number < count; number += 1) {
      fair.enqueue(Store.createMessage(messageGroupId, {}, 0, messageGroupId));
    }
  };
  const next = (): string[] => fair.dequeue(10).map(({ Body }) => Body);

  it('hands out the messages of a noisy group after those of others', () => {
    put('noisy', 45);
    for (let batch = 0; batch < 3; batch += 1) next();
    put('quiet', 2);

    expect(fair.inspectMessages().ready).toHaveLength(17);
    expect(fair.getAttribute('ApproximateNumberOfMessages')).toBe('17');
    expect(next()).toEqual(['quiet', 'quiet', ...Array(8).fill('noisy')]);
  });

  it.each([
    ['deleted', (receipt: string) => fair.deleteMessage(receipt)],
    ['made visible', (receipt: string) => fair.changeVisibility(receipt, 0)],
  ])('no longer counts a message as in flight that is %s', (_, leave) => {
    put('busy', 30);
    for (let batch = 0; batch < 3; batch += 1) next();
    for (const receipt of [...fair.inflightMessages.keys()]) leave(receipt);
    while (fair.messages.length > 0) fair.deleteMessage(fair.dequeue(1)[0]?.ReceiptHandle ?? '');
    put('busy', 1);
    put('quiet', 1);

    expect(next()).toEqual(['busy', 'quiet']);
  });

  it('is empty after a purge', () => {
    put('busy', 40);
    for (let batch = 0; batch < 3; batch += 1) next();
    fair.purge();
    expect([next(), fair.inflightMessages.size]).toEqual([[], 0]);
    put('busy', 1);
    put('quiet', 1);

    expect(next()).toEqual(['busy', 'quiet']);
  });

  it('leaves FIFO queues as they are', () => {
    const fifo = createQueue('a.fifo', { FifoQueue: 'true' });
    for (const group of ['one', 'other', 'one']) {
      fifo.enqueue(Store.createMessage(group, {}, 0, group));
    }
    expect(fifo.dequeue(10).map(({ Body }) => Body)).toEqual(['one', 'other']);
  });
});
