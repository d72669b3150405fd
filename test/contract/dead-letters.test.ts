import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import type { DeadLetter, DeadLetters } from '../../core/delivery/delivery-queue.ts';
import { type EmulatedQueues, startQueues } from '../support/adapters/emulated-queues.ts';
import { asReceived } from '../support/adapters/received-attributes.ts';
import { InMemoryDeadLetters } from '../support/delivery/in-memory-dead-letters.ts';

interface Subject {
  readonly deadLetters: DeadLetters;
  kept(): Promise<(DeadLetter & { reason: string })[]>;
}

const deadLettersContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the keeper of dead letters`, () => {
    it('keeps text and attributes as they came, with the reason', async () => {
      const { deadLetters, kept } = await create();
      const letter = {
        text: '{not JSON, "grüße": 👋',
        attributes: {
          delivery: { dataType: 'String', stringValue: '{"format":1}' },
          trace: { dataType: 'Binary', binaryValue: 'AP8Q' },
          weight: { dataType: 'Number', stringValue: '3' },
        },
      };
      await deadLetters.add(letter, 'the message is not JSON');
      expect(await kept()).toEqual([{ ...letter, reason: 'the message is not JSON' }]);
    });

    it('keeps two letters of the same text', async () => {
      const { deadLetters, kept } = await create();
      await deadLetters.add(plain('x'), 'first');
      await deadLetters.add(plain('x'), 'second');
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
      (await queues.drain(queueUrl)).map(({ Body = '', MessageAttributes = {} }) => {
        const { reason, ...attributes } = MessageAttributes;
        return {
          text: Body,
          attributes: asReceived(attributes),
          reason: reason?.StringValue ?? '',
        };
      }),
  });

  it('replaces the reason of a letter that was put back in vain', async () => {
    const queueUrl = await queues.createQueue();
    const { deadLetters, kept } = inQueue(queueUrl, new SqsDeadLetters(queues.client, queueUrl));
    const attributes = { reason: { dataType: 'String', stringValue: 'first' } };
    await deadLetters.add({ text: 'x', attributes }, 'second');
    expect(await kept()).toEqual([{ text: 'x', attributes: {}, reason: 'second' }]);
  });

  it('puts the reason in the place of a tenth attribute', async () => {
    const queueUrl = await queues.createQueue();
    const { deadLetters, kept } = inQueue(queueUrl, new SqsDeadLetters(queues.client, queueUrl));
    const attributes = Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`a${n}`, { dataType: 'String', stringValue: 'v' }]),
    );
    await deadLetters.add({ text: 'x', attributes }, 'because');
    const { a9: _, ...others } = attributes;
    expect(await kept()).toEqual([{ text: 'x', attributes: others, reason: 'because' }]);
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
      await deadLetters.add(plain(text), 'too large');
      expect(await kept()).toEqual([{ text, attributes: {}, reason }]);
    },
  );
});

const plain = (text: string): DeadLetter => ({ text, attributes: {} });
