import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { useQueues } from 'local-aws/test/support/queues.ts';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DirectoryItems, noticeKey } from '../../adapters/dynamodb/directory/directory-items.ts';
import { dynamoDbNoticeStates } from '../../adapters/dynamodb/directory/notice-states.ts';
import { SqsNoticeRequests } from '../../adapters/sqs/sqs-notice-requests.ts';
import type { NoticeRequests } from '../../core/changes/change-log.ts';
import { type NoticeRequest, parseNoticeMessage } from '../../core/changes/notice-request.ts';
import type { NoticeStates } from '../../core/changes/send-notice.ts';
import {
  InMemoryNoticeRequests,
  InMemoryNoticeStates,
} from '../support/changes/in-memory-notices.ts';
import { aNotice, at } from '../support/changes/notices.ts';

interface Subject {
  readonly notices: NoticeRequests;
  requested(): Promise<NoticeRequest[]>;
}

const numbered = (index: number): NoticeRequest =>
  aNotice({ id: `write-${index}`, integration: `integration-${index}` });

const byId = (one: NoticeRequest, other: NoticeRequest) => one.id.localeCompare(other.id);

const noticeRequestsContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the keeper of requests for e-mails`, () => {
    it('keeps all of more requests than a batch has entries', async () => {
      const { notices, requested } = await create();
      const all = Array.from({ length: 23 }, (_, index) => numbered(index));
      await notices.request(all);
      expect((await requested()).toSorted(byId)).toEqual(all.toSorted(byId));
    });

    it('keeps no request of none', async () => {
      const { notices, requested } = await create();
      await notices.request([]);
      expect(await requested()).toEqual([]);
    });
  });

noticeRequestsContract('memory', async () => {
  const notices = new InMemoryNoticeRequests();
  return { notices, requested: async () => notices.requested };
});

describe('SQS', () => {
  const queues = useQueues();

  const create = async () => {
    const queueUrl = await queues.createQueue({ FifoQueue: 'true' });
    const receive = async (most = 10) => {
      const { Messages = [] } = await queues.client.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: most }),
      );
      return Messages.map(({ Body = '' }) => parseNoticeMessage(Body));
    };
    const requested = async () => {
      const found: NoticeRequest[] = [];
      for (;;) {
        const received = await receive();
        if (received.length === 0) return found;
        found.push(...received);
      }
    };
    return { notices: new SqsNoticeRequests(queues.client, queueUrl), receive, requested };
  };

  noticeRequestsContract('a FIFO queue', create);

  it('keeps a repeated request once', async () => {
    const { notices, requested } = await create();
    await notices.request([numbered(1)]);
    await notices.request([numbered(1), numbered(2)]);
    expect((await requested()).map(({ id }) => id)).toEqual(['write-1', 'write-2']);
  });

  it('holds later requests of an integration back while one waits', async () => {
    const { notices, receive } = await create();
    const later = { ...numbered(1), id: 'write-3' };
    await notices.request([numbered(1), later, numbered(2)]);
    expect(await receive(1)).toEqual([numbered(1)]);
    expect(await receive()).toEqual([numbered(2)]);
    expect(await receive()).toEqual([]);
  });

  it('throws when there is no queue', async () => {
    const notices = new SqsNoticeRequests(queues.client, 'http://127.0.0.1/000000000000/none.fifo');
    await expect(notices.request([numbered(1)])).rejects.toThrow();
  });
});

const TOLD = { failedSince: at('12:00:00'), sentAt: at('12:00:01') };

const noticeStatesContract = (name: string, create: () => Promise<NoticeStates>) =>
  describe(`${name} as the keeper of what e-mails have told`, () => {
    it('finds the latest state of an integration, and none of another', async () => {
      const states = await create();
      expect(await states.find('0123456789Ab')).toBeUndefined();
      await states.put('0123456789Ab', TOLD);
      expect(await states.find('0123456789Ab')).toEqual(TOLD);
      await states.put('0123456789Ab', { sentAt: at('13:00:01') });
      expect(await states.find('0123456789Ab')).toEqual({ sentAt: at('13:00:01') });
      expect(await states.find('0123456789Ac')).toBeUndefined();
    });
  });

noticeStatesContract('memory', async () => new InMemoryNoticeStates());

describe('DynamoDB', () => {
  const tables = useTables();
  const createItems = async () =>
    new DirectoryItems(tables.client, await tables.createTable('pk', 'sk'));

  noticeStatesContract('table Directory', async () => dynamoDbNoticeStates(await createItems()));

  it('forgets what was told 400 days after the latest e-mail', async () => {
    const items = await createItems();
    await dynamoDbNoticeStates(items).put('0123456789Ab', TOLD);
    expect(await items.get(noticeKey('0123456789Ab'))).toEqual({
      ...TOLD,
      expiresAt: Date.parse('2027-12-25T12:00:01.000Z') / 1_000,
    });
  });
});
