import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepMessageGroups, makeQueuesFair } from '../../local/aws/fair-queues.ts';
import type { SqsQueue, SqsStore } from '../../local/aws/fauxqs-internals.ts';

const VERSION = '2.4.1';
const urlOf = (name: string): string => `http://127.0.0.1:4566/000000000000/${name}`;
const arnOf = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;

it('fauxqs has the version whose internals local/aws/ was written for', async () => {
  const file = new URL('../../node_modules/fauxqs/package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(file, 'utf8'));
  expect(version, 'fair-queues.ts, fauxqs-internals.ts and queues.ts must be read anew').toBe(
    VERSION,
  );
});

/** local/aws/ imports files that fauxqs does not export: fauxqs may change them at any time. */
describe(`fauxqs ${VERSION}`, () => {
  let internals: typeof import('../../local/aws/fauxqs-internals.ts');
  let store: SqsStore;
  let queue: SqsQueue;

  // Not imported at the top: the test of the version must also run when fauxqs has moved the files.
  beforeAll(async () => {
    internals = await import('../../local/aws/fauxqs-internals.ts');
  });

  beforeEach(() => {
    store = new internals.Store();
    queue = store.createQueue('queue', urlOf('queue'), arnOf('queue'), { VisibilityTimeout: '30' });
  });

  it('finds a queue of its store by URL and by ARN', () => {
    expect(store.getQueue(urlOf('queue'))).toBe(queue);
    expect(store.getQueueByArn(arnOf('queue'))).toBe(queue);
    expect(queue.attributes).toMatchObject({
      ReceiveMessageWaitTimeSeconds: '0',
      VisibilityTimeout: '30',
    });
  });

  it('gives what is put into a queue of this process, and deletes it', () => {
    queue.enqueue(internals.Store.createMessage('body'));
    const [message, ...others] = queue.dequeue(10);
    expect(message).toMatchObject({ Body: 'body', MD5OfBody: expect.any(String) });
    expect(others).toEqual([]);
    expect(queue.inflightMessages.get(message?.ReceiptHandle ?? '')?.message).toMatchObject({
      approximateFirstReceiveTimestamp: expect.any(Number),
      approximateReceiveCount: 1,
      sentTimestamp: expect.any(Number),
    });
    expect(queue.deleteMessage(message?.ReceiptHandle ?? '')).toBe(true);
    expect(queue.inflightMessages.size).toBe(0);
  });

  it('moves what was received too often to the queue that is found by ARN', () => {
    const deadLetterTargetArn = arnOf('dead');
    const dead = store.createQueue('dead', urlOf('dead'), deadLetterTargetArn);
    queue.setAttributes({
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 1 }),
    });
    queue.enqueue(internals.Store.createMessage('poison'));
    const [message] = queue.dequeue(1);
    queue.changeVisibility(message?.ReceiptHandle ?? '', 0);
    expect(queue.dequeue(1, undefined, (arn) => store.getQueueByArn(arn))).toEqual([]);
    expect(dead.dequeue(1)).toMatchObject([{ Body: 'poison' }]);
  });

  it('wakes who waits for messages when there is one', async () => {
    let isAwake = false;
    const waiting = queue.waitForMessages(20).then(() => {
      isAwake = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAwake).toBe(false);
    queue.enqueue(internals.Store.createMessage('body'));
    await waiting;
    expect(queue.dequeue(10)).toHaveLength(1);
  });

  it('ends the waiting for messages when the store shuts down', async () => {
    const waiting = queue.waitForMessages(20);
    store.shutdown();
    await expect(waiting).resolves.toBeUndefined();
  });

  it('answers operations without its server', async () => {
    const answers = [...internals.sqsActions].map(([operation, action]) => [
      operation,
      typeof action,
    ]);
    expect(answers).toEqual(answers.map(([operation]) => [operation, 'function']));
    const listed = await internals.sqsActions.get('ListQueues')?.({}, store, { headers: {} });
    expect(listed).toMatchObject({ QueueUrls: [queue.url] });
  });

  it('names the error in JSON and, for older clients, in a header', () => {
    const error = new internals.SqsError('InvalidAddress', 'There is no such address.');
    expect(error.statusCode).toBe(400);
    expect(error.queryErrorHeader).toBe('AWS.SimpleQueueService.InvalidAddress;Sender');
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      __type: 'com.amazonaws.sqs#InvalidAddress',
      message: 'There is no such address.',
    });
  });

  describe('with what local/aws/ changes of it', () => {
    const send = async (input: object) => {
      makeQueuesFair(store);
      const changed = store.createQueue('changed', urlOf('changed'), arnOf('changed'));
      const whole = { QueueUrl: changed.url, ...input };
      keepMessageGroups(whole);
      await internals.sqsActions.get('SendMessage')?.(whole, store, { headers: {} });
      return { received: changed.dequeue(10), queue: changed };
    };

    it.each(['👋 beyond U+FFFF', 'tab\tand line\n'])('takes the body "%s"', async (MessageBody) => {
      const { received } = await send({ MessageBody });
      expect(received).toMatchObject([{ Body: MessageBody }]);
    });

    it.each(['\u0000', '\uD800', '\uFFFF'])('refuses the body %j', async (MessageBody) => {
      await expect(send({ MessageBody })).rejects.toThrow(
        expect.objectContaining({ code: 'InvalidMessageContents' }),
      );
    });

    it('keeps the group of a message in a standard queue', async () => {
      const { queue, received } = await send({ MessageBody: 'body', MessageGroupId: 'acme' });
      const { message } = queue.inflightMessages.get(received[0]?.ReceiptHandle ?? '') ?? {};
      expect(message?.messageGroupId).toBe('acme');
    });

    describe('where its queues are fair', () => {
      let fair: SqsQueue;
      beforeEach(() => {
        makeQueuesFair(store);
        fair = store.createQueue('fair', urlOf('fair'), arnOf('fair'), { VisibilityTimeout: '30' });
      });

      const put = (messageGroupId: string, count: number): void => {
        for (let number = 0; number < count; number += 1) {
          fair.enqueue(internals.Store.createMessage(messageGroupId, {}, 0, messageGroupId));
        }
      };
      const next = (): string[] => fair.dequeue(10).map(({ Body }) => Body);

      it('a noisy group’s messages are handed out after those of others', () => {
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
      ])('what is %s is no longer in flight', (_, leave) => {
        put('busy', 30);
        for (let batch = 0; batch < 3; batch += 1) next();
        for (const receipt of [...fair.inflightMessages.keys()]) leave(receipt);
        while (fair.messages.length > 0)
          fair.deleteMessage(fair.dequeue(1)[0]?.ReceiptHandle ?? '');
        put('busy', 1);
        put('quiet', 1);

        expect(next()).toEqual(['busy', 'quiet']);
      });

      it('nothing is left when the queue is purged', () => {
        put('busy', 40);
        for (let batch = 0; batch < 3; batch += 1) next();
        fair.purge();
        expect([next(), fair.inflightMessages.size]).toEqual([[], 0]);
        put('busy', 1);
        put('quiet', 1);

        expect(next()).toEqual(['busy', 'quiet']);
      });

      it('a FIFO queue is as it was', () => {
        const fifo = store.createQueue('a.fifo', urlOf('a.fifo'), arnOf('a.fifo'), {
          FifoQueue: 'true',
        });
        for (const group of ['one', 'other', 'one']) {
          fifo.enqueue(internals.Store.createMessage(group, {}, 0, group));
        }
        expect(fifo.dequeue(10).map(({ Body }) => Body)).toEqual(['one', 'other']);
      });
    });
  });
});
