import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { streamEvent } from 'local-aws/event-sources/stream-event.ts';
import { type EmulatedTables, startTables } from 'local-aws/test/support/tables.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveryAddedBy } from '../../adapters/dynamodb/delivery-index/delivery-index-changes.ts';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/delivery-log/delivery-log.ts';
import { countedIn } from '../../adapters/dynamodb/delivery-log/delivery-log-changes.ts';
import type { Attempt } from '../../core/delivery/attempt.ts';
import type { Logged } from '../../core/delivery/delivery-log.ts';
import { UnreadableChange } from '../../core/delivery/message-format.ts';
import { pastNoon } from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';
import { aChange } from '../support/lambdas/log-changes.ts';

/** Does not tell its time, so that the log also has an item that says where the delivery is. */
const EVENT = anEventReference('evt_opaque');

const attemptNumbered = (number: number, overrides: Partial<Attempt> = {}): Attempt =>
  anAttempt(
    { event: EVENT, number, startedAt: pastNoon(number), durationMs: 10 * number, ...overrides },
    answered(number % 10 === 3 ? 200 : 504),
  );

describe('the changes of the delivery log', () => {
  let tables: EmulatedTables;
  let streamed: Awaited<ReturnType<EmulatedTables['createStreamedTable']>>;
  let log: DynamoDbDeliveryLog;
  beforeAll(async () => {
    tables = await startTables();
  });
  beforeEach(async () => {
    streamed = await tables.createStreamedTable('partition', 'entry');
    log = new DynamoDbDeliveryLog(tables.client, streamed.table, {
      deadlineMs: 8_000,
      now: () => pastNoon(0),
    });
  });
  afterAll(() => tables.stop());

  /** The changes since the last call, of which there must be some, as a function gets them. */
  const nextChanges = async (): Promise<readonly DynamoDBRecord[]> => {
    const { stream } = streamed;
    const { signal } = new AbortController();
    const changes = await stream.next({ maximum: 1_000, windowMs: 1, signal });
    const { keyNames } = stream;
    return streamEvent(changes, { streamArn: 'arn', keyNames, windowMs: 1 }).Records;
  };

  const write = (logged: Logged, attempt: Attempt) =>
    log.write([{ delivery: aDelivery({ event: EVENT }), logged, attempt }]);

  /** The minutes in which the attempts began that the changes so far have added. */
  const added = async () => {
    const counted = (await nextChanges()).flatMap((change) => countedIn(change));
    return counted
      .filter((one) => one.counted !== 'deliveredEvents')
      .map(({ startedAt }) => startedAt.getUTCMinutes())
      .toSorted();
  };

  it('have all of an attempt that statistics need', async () => {
    await write('nothing', attemptNumbered(1));
    const changes = await nextChanges();

    const attempts = changes.flatMap((change) => countedIn(change));

    expect(changes.length).toBeGreaterThan(1);
    expect(attempts).toEqual([
      {
        integration: aDelivery().integration,
        startedAt: pastNoon(1),
        answeredAfterMs: 10,
        counted: 'transient',
        trigger: 'event',
        position: expect.stringMatching(/^0+\d{21}$/),
      },
    ]);
    expect(attempts[0]?.position).toHaveLength(40);
  });

  it('have no response time of an attempt without an answer', async () => {
    const silent = { kind: 'unanswered', reason: 'response-timeout' } as const;
    await write('nothing', anAttempt({ event: EVENT, startedAt: pastNoon(1) }, silent));

    const attempts = (await nextChanges()).flatMap((change) => countedIn(change));
    expect(attempts).toMatchObject([{ counted: 'transient', answeredAfterMs: undefined }]);
  });

  it('add each attempt once: the first, and those after it', async () => {
    await write('nothing', attemptNumbered(1));
    await write('attempted', attemptNumbered(2));
    await write('attempted', attemptNumbered(3));

    expect(await added()).toEqual([1, 2, 3]);
  });

  it('add the first attempt of a delivery that was listed before', async () => {
    await log.list([aDelivery({ event: EVENT })]);
    await write('listed', attemptNumbered(1));

    expect(await added()).toEqual([1]);
  });

  it('add each attempt once when the log could not be read before', async () => {
    await write('unknown', attemptNumbered(1));
    await write('unknown', attemptNumbered(2));

    expect(await added()).toEqual([1, 2]);
  });

  it('add an attempt recorded late once when its success is listed', async () => {
    await write('nothing', attemptNumbered(1));
    await write('attempted', attemptNumbered(4));
    await write('attempted', attemptNumbered(3));

    expect(await added()).toEqual([1, 3, 4]);
  });

  it('add each attempt once whose write is repeated', async () => {
    await write('nothing', attemptNumbered(1));
    await write('nothing', attemptNumbered(1));
    await write('attempted', attemptNumbered(2));
    await write('attempted', attemptNumbered(2));

    expect(await added()).toEqual([1, 2]);
  });

  it('add both of two attempts that were each taken for the first', async () => {
    await write('nothing', attemptNumbered(1));
    await write('nothing', attemptNumbered(2));

    expect(await added()).toEqual([1, 2]);
  });

  it.each<[string, Logged, readonly number[]]>([
    ['with its first attempt', 'nothing', [3]],
    ['after it was pending', 'listed', [3]],
    ['by a later attempt', 'nothing', [1, 3]],
    ['by an attempt that was recorded late', 'nothing', [1, 4, 3]],
    ['and confirmed again', 'nothing', [3, 13]],
  ])('add an event once that is delivered %s', async (_how, logged, numbers) => {
    if (logged === 'listed') await log.list([aDelivery({ event: EVENT })]);
    for (const [index, number] of numbers.entries()) {
      await write(index === 0 ? logged : 'attempted', attemptNumbered(number));
    }

    const counted = (await nextChanges()).flatMap((change) => countedIn(change));

    expect(counted.filter((one) => one.counted === 'deliveredEvents')).toEqual([
      {
        integration: aDelivery().integration,
        startedAt: new Date(pastNoon(3).getTime() + 30),
        answeredAfterMs: undefined,
        counted: 'deliveredEvents',
        position: expect.any(String),
      },
    ]);
  });

  it('add no test', async () => {
    await write('nothing', attemptNumbered(1, { trigger: 'test' }));

    expect(await added()).toEqual([]);
  });

  it('add nothing when the items are deleted', async () => {
    await write('nothing', attemptNumbered(1));
    await write('attempted', attemptNumbered(2));
    await added();
    const { client } = tables;
    const TableName = streamed.table;
    const { Items = [] } = await client.send(new ScanCommand({ TableName }));
    for (const { partition, entry } of Items) {
      await client.send(new DeleteCommand({ TableName, Key: { partition, entry } }));
    }

    const changes = await nextChanges();

    expect(changes.map(({ eventName }) => eventName)).toEqual(Items.map(() => 'REMOVE'));
    expect(changes.flatMap((change) => countedIn(change))).toEqual([]);
  });

  describe('bring a delivery to the index', () => {
    const BODY = JSON.stringify({ data: { message: { id: 'msg_1' } } });

    const indexed = async () =>
      (await nextChanges()).flatMap((change) => deliveryAddedBy(change) ?? []);

    const writeAbout = (logged: Logged, attempt: Attempt, body = BODY) =>
      log.write([{ delivery: aDelivery({ event: EVENT, body }), logged, attempt }]);

    it('with all that the index needs', async () => {
      await writeAbout('nothing', attemptNumbered(1));

      expect(await indexed()).toEqual([
        {
          account: aDelivery().account,
          integration: aDelivery().integration,
          subject: 'msg_1',
          event: { id: EVENT.id, occurredAt: EVENT.occurredAt },
          expiresAt: Date.parse('2026-12-21T00:00:00.000Z') / 1_000,
          position: expect.stringMatching(/^0+\d{21}$/),
        },
      ]);
    });

    it('of an event type that this version does not know', async () => {
      const body = JSON.stringify({ data: { sentLetter: { id: 'let_1' } } });
      await log.list([aDelivery({ event: { ...EVENT, type: 'sent_letter.returned' }, body })]);

      expect(await indexed()).toMatchObject([{ subject: 'let_1' }]);
    });

    it('once, whatever follows on the same day', async () => {
      await log.list([aDelivery({ event: EVENT, body: BODY })]);
      await writeAbout('listed', attemptNumbered(1));
      await writeAbout('attempted', attemptNumbered(2));
      await writeAbout('attempted', attemptNumbered(3));

      expect(await indexed()).toHaveLength(1);
    });

    it('again on each day of attempts, so that the index keeps it', async () => {
      await writeAbout('nothing', attemptNumbered(1));
      for (let hours = 1; hours <= 40; hours += 1) {
        await writeAbout('attempted', attemptNumbered(2 + hours * 60));
      }

      const expiries = (await indexed()).map(({ expiresAt }) => new Date(expiresAt * 1_000));

      expect(expiries.map((at) => at.toISOString().slice(0, 10))).toEqual([
        '2026-12-21',
        '2026-12-22',
        '2026-12-23',
      ]);
    });

    it('unless its body tells no subject', async () => {
      await writeAbout('nothing', attemptNumbered(1), '{"data":{}}');

      expect(await indexed()).toEqual([]);
    });

    it('unless a later version compressed its body', async () => {
      await writeAbout('nothing', attemptNumbered(1));
      const changes = await nextChanges();
      const text = JSON.stringify(changes).replaceAll(/"B":"[^"]*"/g, '"B":"/wAA"');

      expect(changes.flatMap((change) => deliveryAddedBy(change) ?? [])).toHaveLength(1);
      const unreadable: DynamoDBRecord[] = JSON.parse(text);
      expect(unreadable.flatMap((change) => deliveryAddedBy(change) ?? [])).toEqual([]);
    });
  });

  it.each([
    ['has another outcome', aChange('1', { outcome: 'lost' }), /outcome/],
    ['has no time', aChange('1', { startedAt: 'noon' }), /startedAt/],
    ['has another key', { eventName: 'INSERT', dynamodb: { SequenceNumber: '1' } }, /Keys/],
    ['is none', {}, /eventName/],
  ])('cannot be read when one %s', (_case, change, reason) => {
    expect(() => countedIn(change)).toThrow(UnreadableChange);
    expect(() => countedIn(change)).toThrow(reason);
  });
});
