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
    return {
      deadLetters: new SqsDeadLetters(queues.client, queueUrl),
      kept: async () =>
        (await queues.drain(queueUrl)).map(({ Body = '', MessageAttributes }) => ({
          text: Body,
          reason: MessageAttributes?.reason?.StringValue ?? '',
        })),
    };
  });

  it('rejects a letter so large that its reason does not fit beside it', async () => {
    const deadLetters = new SqsDeadLetters(queues.client, await queues.createQueue());
    await expect(deadLetters.add('x'.repeat(1_048_576), 'too large')).rejects.toThrow();
  });
});
