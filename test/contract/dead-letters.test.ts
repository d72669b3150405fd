import { randomUUID } from 'node:crypto';
import type { MessageAttributeValue, SQSClient } from '@aws-sdk/client-sqs';
import { useQueues } from 'local-aws/test/support/queues.ts';
import { describe, expect, it } from 'vitest';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import { SqsDeadLetterQueue } from '../../adapters/sqs/sqs-operator-queues.ts';
import type { DeadLetterQueue } from '../../core/delivery/dead-letters.ts';
import type { DeadLetter, DeadLetters } from '../../core/delivery/delivery-queue.ts';
import { readLetters } from '../../core/delivery/read-letters.ts';
import { InMemoryDeadLetterQueue } from '../support/delivery/in-memory-dead-letter-queue.ts';
import { InMemoryDeadLetters } from '../support/delivery/in-memory-dead-letters.ts';

/** A message's attributes as Lambda gives them to a function. */
const asReceived = (attributes: Record<string, MessageAttributeValue>): DeadLetter['attributes'] =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType = '', StringValue, BinaryValue }]) => [
      name,
      {
        dataType: DataType,
        ...(StringValue !== undefined && { stringValue: StringValue }),
        ...(BinaryValue && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
      },
    ]),
  );

const plain = (text: string): DeadLetter => ({ text, attributes: {} });

interface KeptLetters {
  readonly deadLetters: DeadLetters;
  kept(): Promise<(DeadLetter & { reason: string })[]>;
}

const deadLettersContract = (name: string, create: () => Promise<KeptLetters>) =>
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

interface LetterQueue {
  readonly queue: DeadLetterQueue;
  put(letter: DeadLetter): Promise<unknown>;
}

const LETTER: DeadLetter = {
  text: '{not JSON, "grüße": 👋',
  attributes: {
    delivery: { dataType: 'String', stringValue: '{"format":1}' },
    trace: { dataType: 'Binary', binaryValue: 'AP8Q' },
    reason: { dataType: 'String', stringValue: 'the message is not JSON' },
  },
};

const HIDDEN_SECONDS = 60;

const deadLetterQueueContract = (name: string, create: () => Promise<LetterQueue>) =>
  describe(`${name} as a dead-letter queue`, () => {
    it('has letters as they were kept', async () => {
      const { queue, put } = await create();
      await put(LETTER);
      const [letter] = await queue.receive(HIDDEN_SECONDS);
      expect(letter).toMatchObject(LETTER);
      expect(letter?.sentAt.getTime()).toBeGreaterThan(0);
    });

    it('hides what it handed out until it is released', async () => {
      const { queue, put } = await create();
      await put(LETTER);
      const [letter] = await queue.receive(HIDDEN_SECONDS);
      expect(await queue.receive(HIDDEN_SECONDS)).toEqual([]);
      await queue.release([letter?.receipt ?? '']);
      expect((await queue.receive(HIDDEN_SECONDS)).map(({ id }) => id)).toEqual([letter?.id]);
    });

    it('counts letters, hidden ones too, and no removed ones', async () => {
      const { queue, put } = await create();
      for (let index = 0; index < 3; index++) await put(LETTER);
      const [first] = await queue.receive(HIDDEN_SECONDS);
      expect(await queue.count()).toBe(3);
      await queue.remove([first?.receipt ?? '']);
      expect(await queue.count()).toBe(2);
    });

    it('gives every letter once to one command, and all again to the next', async () => {
      const { queue, put } = await create();
      for (let index = 0; index < 47; index++) await put({ ...LETTER, text: `${index}` });
      for (let time = 0; time < 2; time++) {
        const texts: string[] = [];
        const read = await readLetters(queue, 100, ({ letter }) => {
          texts.push(letter.text);
          return 'keep';
        });
        expect(read).toEqual({ looked: 47, count: 47 });
        expect(new Set(texts).size).toBe(47);
      }
    });
  });

deadLetterQueueContract('memory', async () => {
  const queue = new InMemoryDeadLetterQueue();
  return { queue, put: async (letter) => queue.put(letter) };
});

describe('SQS', () => {
  const queues = useQueues();

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

  const inQueue = (queueUrl: string, deadLetters: SqsDeadLetters): KeptLetters => ({
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

  it('replaces the reason of a letter that was moved back in vain', async () => {
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

  let groups = 0;
  const newGroupId = () => `group-${++groups}`;

  const subjectOf = async (attributes?: Record<string, string>) => {
    const queueUrl = await queues.createQueue(attributes);
    const fifo = attributes && { newGroupId };
    const deadLetters = new SqsDeadLetters(queues.client, queueUrl, fifo);
    return {
      queue: new SqsDeadLetterQueue(queues.client, queueUrl),
      put: ({ text, attributes: { reason, ...kept } }: DeadLetter) =>
        deadLetters.add({ text, attributes: kept }, reason?.stringValue ?? 'because'),
    };
  };

  deadLetterQueueContract('a queue', () => subjectOf());
  deadLetterQueueContract('a FIFO queue', () => subjectOf({ FifoQueue: 'true' }));

  it('shows whether SQS moved a letter there', async () => {
    const Messages = [{ Attributes: { DeadLetterQueueSourceArn: 'arn:of:a:queue' } }, {}];
    const client = { send: async () => ({ Messages }) } as unknown as SQSClient;
    const letters = await new SqsDeadLetterQueue(client, 'https://queue').receive(HIDDEN_SECONDS);
    expect(letters.map(({ isMovedBySqs }) => isMovedBySqs)).toEqual([true, false]);
  });
});
