import { randomUUID } from 'node:crypto';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { useQueues } from 'local-aws/test/support/queues.ts';
import { describe, expect, it } from 'vitest';
import { SqsReplayRequests } from '../../adapters/sqs/sqs-replay-requests.ts';
import {
  parseReplayMessage,
  type ReplayRequests,
  replayMessage,
} from '../../core/delivery/pending/replay-requests.ts';
import { InMemoryReplayRequests } from '../support/delivery/pending/in-memory-replay-requests.ts';
import { anEventReference } from '../support/event/platform-events.ts';
import { anIntegration } from '../support/integration/integrations.ts';

interface Subject {
  readonly replays: ReplayRequests;
  /** The requests as `run-replay` reads them. */
  requested(): Promise<unknown[]>;
}

const one = { account: 'acme', id: '0123456789Ab' };
const recovery = {
  since: new Date('2026-11-20T11:30:00.000Z'),
  until: new Date('2026-11-20T12:00:00.123Z'),
};

const replayRequestsContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the keeper of replay requests`, () => {
    it('keeps which integration a replay was asked for, and nothing else of it', async () => {
      const { replays, requested } = await create();
      await replays.request(anIntegration(one));
      expect(await requested()).toEqual([one]);
    });

    it('keeps every request, those that are alike too', async () => {
      const { replays, requested } = await create();
      for (let times = 0; times < 3; times += 1) await replays.request(one);
      expect(await requested()).toEqual([one, one, one]);
    });

    it('keeps which time a recovery was asked for of which integration', async () => {
      const { replays, requested } = await create();
      await replays.request(anIntegration(one), { recovery });
      expect(await requested()).toEqual([{ ...one, recovery }]);
    });

    it('keeps where a recovery is to go on, in order with the replays', async () => {
      const { replays, requested } = await create();
      await replays.request(one);
      const onGoing = { recovery: { ...recovery, after: 'MjAyNi0xMS0yMA' } };
      await replays.request(one, onGoing);
      await replays.request(one);
      expect(await requested()).toEqual([one, { ...one, ...onGoing }, one]);
    });

    it.each([
      ['to replay only what is due', { onlyDue: true }],
      ['what an earlier run has left', { rest: { after: 'place 7', last: 'place 9' } }],
      ['that an earlier run came to no event', { rest: { last: 'place 9' } }],
      [
        'the pace that an earlier run found, and when to go on',
        {
          pace: {
            size: 10,
            left: 4,
            usual: { answers: 13, refused: 2 },
            slowedAt: '2026-11-20T12:00:00.000Z',
            restMs: 2_175,
            sampled: [{ event: anEventReference('evt_1'), priorAttempts: 3 }],
          },
          notBefore: new Date('2026-11-20T12:00:20.000Z'),
        },
      ],
      ['all of that', { recovery, onlyDue: true, rest: { after: 'place 7', last: 'place 9' } }],
    ])('keeps %s', async (_what, options) => {
      const { replays, requested } = await create();
      await replays.request(one, options);
      expect(await requested()).toEqual([{ ...one, ...options }]);
    });
  });

replayRequestsContract('memory', async () => {
  const replays = new InMemoryReplayRequests();
  return { replays, requested: async () => replays.requested };
});

describe('SQS', () => {
  const queues = useQueues();

  const create = async () => {
    const queueUrl = await queues.createQueue({ FifoQueue: 'true' });
    const replays = new SqsReplayRequests(queues.client, queueUrl, {
      newDeduplicationId: randomUUID,
    });
    const receiveOne = async (): Promise<Message | undefined> => {
      const receive = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 1 });
      return (await queues.client.send(receive)).Messages?.[0];
    };
    const remove = ({ ReceiptHandle }: Message) =>
      queues.client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
    return { queueUrl, replays, receiveOne, remove };
  };

  replayRequestsContract('a FIFO queue', async () => {
    const { replays, receiveOne, remove } = await create();
    return {
      replays,
      requested: async () => {
        const requested: unknown[] = [];
        for (;;) {
          const message = await receiveOne();
          if (message === undefined) return requested;
          requested.push(parseReplayMessage(message.Body ?? ''));
          await remove(message);
        }
      },
    };
  });

  it('hands out the requests of an integration one at a time', async () => {
    const { replays, receiveOne, remove } = await create();
    const other = { account: 'acme', id: 'bbbbbbbbbbbb' };
    await replays.request(one);
    await replays.request(one, { recovery });
    await replays.request(other);
    const first = await receiveOne();
    expect(first?.Body).toBe(replayMessage(one));
    expect((await receiveOne())?.Body).toBe(replayMessage(other));
    expect(await receiveOne()).toBeUndefined();
    await remove(first ?? {});
    expect(parseReplayMessage((await receiveOne())?.Body ?? '')).toEqual({ ...one, recovery });
  });

  it('throws when there is no queue', async () => {
    const { queueUrl } = await create();
    const replays = new SqsReplayRequests(queues.client, queueUrl.replace(/[^/]+$/, 'none.fifo'), {
      newDeduplicationId: randomUUID,
    });
    await expect(replays.request(one)).rejects.toThrow();
    await expect(replays.request(one, { recovery })).rejects.toThrow();
  });
});
