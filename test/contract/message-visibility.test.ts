import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { useQueues } from 'local-aws/test/support/queues.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { SqsMessageVisibility } from '../../adapters/sqs/sqs-message-visibility.ts';

describe('SQS as the keeper of message visibility', () => {
  const queues = useQueues();
  beforeEach(() => {
    queues.sentBatches.length = 0;
  });

  /** A queue whose messages have all just been received. */
  const createWithReceived = async (bodies: readonly string[]) => {
    const queueUrl = await queues.createQueue();
    for (const MessageBody of bodies) {
      await queues.client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody }));
    }
    const received = new Map(
      (await queues.drain(queueUrl)).map(({ Body, ReceiptHandle = '' }) => [Body, ReceiptHandle]),
    );
    const receiptHandleOf = (body: string) => received.get(body) ?? '';
    const receiveAgain = async () => {
      const receive = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 });
      const { Messages = [] } = await queues.client.send(receive);
      return Messages.map(({ Body }) => Body).toSorted();
    };
    const visibility = new SqsMessageVisibility(queues.client, queueUrl);
    return { visibility, receiptHandleOf, receiveAgain: receiveAgain };
  };

  const sentSeconds = () =>
    queues.sentBatches.map((batch) => batch.map(({ VisibilityTimeout }) => VisibilityTimeout));

  it('hands out at once what has no delay, and nothing else', async () => {
    const { visibility, receiptHandleOf, receiveAgain } = await createWithReceived(['a', 'b', 'c']);
    const changes = [
      { receiptHandle: receiptHandleOf('a'), delayMs: 0 },
      { receiptHandle: receiptHandleOf('b'), delayMs: 3_600_000 },
    ];
    expect(await visibility.change(changes)).toEqual([]);
    expect(await receiveAgain()).toEqual(['a']);
  });

  it.each([
    [0, 0],
    [-5_000, 0],
    [1, 1],
    [1_000, 1],
    [14_000.5, 15],
    [42_300_000, 42_300],
    [42_300_001, 42_300],
    [1e15, 42_300],
  ])('makes %i ms %i s', async (delayMs, seconds) => {
    const { visibility, receiptHandleOf } = await createWithReceived(['a']);
    const change = { receiptHandle: receiptHandleOf('a'), delayMs };
    expect(await visibility.change([change])).toEqual([]);
    expect(sentSeconds()).toEqual([[seconds]]);
  });

  it('changes more messages than a batch has entries', async () => {
    const bodies = Array.from({ length: 25 }, (_, index) => String(index));
    const { visibility, receiptHandleOf } = await createWithReceived(bodies);
    const changes = bodies.map((body, index) => ({
      receiptHandle: receiptHandleOf(body),
      delayMs: index * 1_000,
    }));
    expect(await visibility.change(changes)).toEqual([]);
    expect(sentSeconds().map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(sentSeconds().flat()).toEqual(bodies.map(Number));
  });

  it('makes no call for no messages', async () => {
    const { visibility } = await createWithReceived([]);
    expect(await visibility.change([])).toEqual([]);
    expect(queues.sentBatches).toEqual([]);
  });

  it('reports the messages that it could not change, and changes the others', async () => {
    const { visibility, receiptHandleOf, receiveAgain } = await createWithReceived(['a', 'b']);
    const unknown = { receiptHandle: 'of nothing', delayMs: 15_000 };
    const failed = await visibility.change([
      { receiptHandle: receiptHandleOf('a'), delayMs: 0 },
      unknown,
      { receiptHandle: receiptHandleOf('b'), delayMs: 0 },
    ]);
    expect(failed).toEqual([{ ...unknown, code: 'ReceiptHandleIsInvalid' }]);
    expect(await receiveAgain()).toEqual(['a', 'b']);
  });

  it('says of each message that there is no queue, and does not throw', async () => {
    const queueUrl = (await queues.createQueue()).replace(/[^/]+$/, 'no-such-queue');
    const visibility = new SqsMessageVisibility(queues.client, queueUrl);
    const changes = Array.from({ length: 12 }, (_, index) => ({
      receiptHandle: `handle ${index}`,
      delayMs: 1_000,
    }));
    const failed = await visibility.change(changes);
    expect(failed).toEqual(changes.map((change) => ({ ...change, code: 'QueueDoesNotExist' })));
  });
});
