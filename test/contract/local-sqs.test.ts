import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestRun, type TestRun } from '../support/local/assembly.ts';
import { createClient, receive } from '../support/local/clients.ts';

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

  it('returns the message group in a standard queue, also of messages sent in a batch', async () => {
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

  it('hands out the message of a quiet group before the backlog of a noisy group', async () => {
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

  it('hands a waiting poll the message as soon as it is sent', async () => {
    const QueueUrl = run.outputs.QueueUrl;
    const poll = receive(QueueUrl);
    await sqs().send(new SendMessageCommand({ QueueUrl, MessageBody: 'soon' }));
    expect((await poll).map(({ Body }) => Body)).toEqual(['soon']);
  });

  it('names a FIFO queue as SQS demands', () => {
    expect(run.outputs.FifoUrl).toBe(`${run.aws}/000000000000/test-Fifo.fifo`);
  });
});
