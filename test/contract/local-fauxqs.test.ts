import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SqsQueue, SqsStore } from '../../local/aws/fauxqs-internals.ts';
import { keepMessageGroups } from '../../local/aws/message-groups.ts';

const VERSION = '2.4.1';
const urlOf = (name: string): string => `http://127.0.0.1:4566/000000000000/${name}`;
const arnOf = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;

it('fauxqs has the version whose internals local/aws/ was written for', async () => {
  const file = new URL('../../node_modules/fauxqs/package.json', import.meta.url);
  const { version } = JSON.parse(await readFile(file, 'utf8'));
  expect(version, 'fauxqs-internals.ts, message-groups.ts and long-poll.ts must be read anew').toBe(
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
      const noteMessageGroups = keepMessageGroups(store);
      const changed = store.createQueue('changed', urlOf('changed'), arnOf('changed'));
      const whole = { QueueUrl: changed.url, ...input };
      noteMessageGroups(whole);
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
  });
});
