import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import type { DeadLetters } from '../../core/delivery/delivery-queue.ts';
import { type EmulatedQueues, startQueues } from '../support/adapters/emulated-queues.ts';
import { InMemoryDeadLetters } from '../support/delivery/in-memory-dead-letters.ts';

interface Subject {
  readonly deadLetters: DeadLetters;
  kept(): Promise<{ text: string; reason: string }[]>;
}

const deadLettersContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the keeper of dead letters`, () => {
    it('keeps the text as it came, with the reason', async () => {
      const { deadLetters, kept } = await create();
      await deadLetters.add('{not JSON, "grüße": 👋', 'the message is not JSON');
      expect(await kept()).toEqual([
        { text: '{not JSON, "grüße": 👋', reason: 'the message is not JSON' },
      ]);
    });

    it('keeps two letters of the same text', async () => {
      const { deadLetters, kept } = await create();
      await deadLetters.add('x', 'first');
      await deadLetters.add('x', 'second');
      expect((await kept()).map(({ reason }) => reason).toSorted()).toEqual(['first', 'second']);
    });
  });

deadLettersContract('memory', async () => {
  const deadLetters = new InMemoryDeadLetters();
  return { deadLetters, kept: async () => deadLetters.letters };
});

describe('SQS', () => {
  let queues: EmulatedQueues;
  beforeAll(async () => {
    queues = await startQueues();
  });
  afterAll(() => queues.stop());

  deadLettersContract('a queue', async () => {
    const queueUrl = await queues.createQueue();
    return inQueue(queueUrl, new SqsDeadLetters(queues.client, queueUrl));
  });

  deadLettersContract('a FIFO queue', async () => {
    const queueUrl = await queues.createQueue({ FifoQueue: 'true' });
    return inQueue(
      queueUrl,
      new SqsDeadLetters(queues.client, queueUrl, { newGroupId: randomUUID }),
    );
  });

  const inQueue = (queueUrl: string, deadLetters: SqsDeadLetters): Subject => ({
    deadLetters,
    kept: async () =>
      (await queues.drain(queueUrl)).map(({ Body = '', MessageAttributes }) => ({
        text: Body,
        reason: MessageAttributes?.reason?.StringValue ?? '',
      })),
  });

  it.each([
    [1_048_576, ''],
    [1_048_576 - 'reasonStringtoo large'.length + 1, ''],
    [1_048_576 - 'reasonStringtoo large'.length, 'too large'],
  ])(
    'keeps a letter of %i bytes, with its reason if there is room for it',
    async (size, reason) => {
      const queueUrl = await queues.createQueue();
      const { deadLetters, kept } = inQueue(queueUrl, new SqsDeadLetters(queues.client, queueUrl));
      const text = 'x'.repeat(size);
      await deadLetters.add(text, 'too large');
      expect(await kept()).toEqual([{ text, reason }]);
    },
  );
});
