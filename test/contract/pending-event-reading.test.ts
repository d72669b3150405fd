import {
  type DynamoDBDocumentClient,
  PutCommand,
  type QueryCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/pending-events/pending-events.ts';
import { partitionOf } from '../../adapters/dynamodb/table/stored-deliveries.ts';
import { positionOf } from '../../core/delivery/delivery.ts';
import type { PendingEvent, PendingEvents } from '../../core/delivery/pending/pending-events.ts';
import { InMemoryPendingEvents } from '../support/delivery/pending/in-memory-pending-events.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;
const LIMIT = 20;

const deliveryOf = (id: string, second: number) =>
  aDelivery({
    event: {
      ...anEventReference(id),
      occurredAt: new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString(),
    },
  });

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `evt_${index}`);

/** Ids of one partition: a reading of the others has come to its end long before. */
const ofOnePartition = (count: number) =>
  numbered(40 * count)
    .filter((id) => partitionOf('', id) === '#3')
    .slice(0, count);

/** Stores events that occurred one second after the other, the latest first. */
const store = async (pending: PendingEvents, ids: readonly string[]): Promise<void> => {
  const deliveries = ids.map((id, second) => deliveryOf(id, second));
  await Promise.all(deliveries.toReversed().map((one) => pending.put(one, A_MESSAGE)));
};

const idsOf = (page: readonly PendingEvent[]) => page.map(({ delivery }) => delivery.event.id);

/** After every event of these tests. */
const LAST = positionOf(deliveryOf('evt_last', 3_600));

const allPagesOf = async (
  pending: PendingEvents,
  between: { after?: string; last?: string } = {},
) => {
  const pages: (readonly PendingEvent[])[] = [];
  const options = { limit: LIMIT, last: LAST, ...between };
  for await (const page of pending.pages(INTEGRATION, options)) pages.push(page);
  return pages;
};

const pagesContract = (name: string, create: () => Promise<PendingEvents>) =>
  describe(`${name}, read page by page`, () => {
    it.each([
      ['of all partitions', numbered(130)],
      ['of one partition', ofOnePartition(70)],
      ['of a single page', numbered(3)],
    ])('gives all events %s, the oldest first, in full pages', async (_which, ids) => {
      const pending = await create();
      await store(pending, ids);
      const pages = await allPagesOf(pending);
      expect(pages.flatMap(idsOf)).toEqual(ids);
      expect(pages.map(({ length }) => length)).toEqual(lengthsOfPages(ids.length));
    });

    it('goes on where it was when the pages before are removed', async () => {
      const pending = await create();
      await store(pending, numbered(90));
      const read: string[] = [];
      for await (const page of pending.pages(INTEGRATION, { limit: LIMIT, last: LAST })) {
        read.push(...idsOf(page));
        await pending.removeAllAsRead(page);
      }
      expect(read).toEqual(numbered(90));
      expect(await pending.oldest(INTEGRATION, 1)).toEqual([]);
    });

    const BETWEEN: [string, { after?: number; last?: number }, first: number, end: number][] = [
      ['after a place', { after: 4 }, 5, 89],
      ['up to a last one', { last: 4 }, 0, 4],
      ['between two places', { after: 9, last: 70 }, 10, 70],
      ['between two places of which nothing is pending', { after: 95, last: 97 }, 1, 0],
      ['after its last place', { after: 4, last: 4 }, 1, 0],
    ];
    it.each(BETWEEN)('gives the events %s', async (_which, { after, last }, first, end) => {
      const pending = await create();
      await store(pending, numbered(90));
      const placeAt = (second: number) => positionOf(deliveryOf(`evt_${second}`, second));
      const pages = await allPagesOf(pending, {
        ...(after !== undefined && { after: placeAt(after) }),
        ...(last !== undefined && { last: placeAt(last) }),
      });
      expect(pages.flatMap(idsOf)).toEqual(numbered(90).slice(first, end + 1));
      expect(pages.map(({ length }) => length)).toEqual(lengthsOfPages(end + 1 - first));
    });

    it('gives the newest events, the newest first', async () => {
      const pending = await create();
      await store(pending, numbered(90));
      const newest = await pending.newest(INTEGRATION, 20);
      expect(idsOf(newest)).toEqual(numbered(90).toReversed().slice(0, 20));
      expect(await pending.newest('another00000', 20)).toEqual([]);
    });

    it('gives samples that reach each of many events in a walk', async () => {
      const pending = await create();
      await store(pending, numbered(90));
      const found = new Set<string>();
      for (let eighth = 0; eighth < 8; eighth += 1) {
        let after: string | undefined;
        const ofEighth = new Set<string>();
        for (let steps = 0; steps < 6; steps += 1) {
          const options = { after, limit: 5, random: eighth / 8 };
          const sample = await pending.sample(INTEGRATION, options);
          const ids = idsOf(sample);
          expect(ids.length).toBeGreaterThan(0);
          expect(ids.length).toBeLessThanOrEqual(5);
          // It begins again after the last.
          if (ofEighth.has(ids[0] ?? '')) break;
          for (const id of ids) ofEighth.add(id);
          const last = sample.at(-1);
          after = last && positionOf(last.delivery);
        }
        for (const id of ofEighth) {
          expect(found).not.toContain(id);
          found.add(id);
        }
      }
      expect(found).toEqual(new Set(numbered(90)));
    });

    it('gives a sample wherever few events are', async () => {
      const pending = await create();
      const ids = ofOnePartition(2);
      await store(pending, ids);
      for (const random of [0, 0.3, 0.99]) {
        expect(idsOf(await pending.sample(INTEGRATION, { limit: 5, random }))).toEqual(ids);
      }
      expect(await pending.sample('another00000', { limit: 5, random: 0.5 })).toEqual([]);
    });

    it('gives no page when nothing is pending, or only for another', async () => {
      const pending = await create();
      await pending.put({ ...deliveryOf('evt_1', 1), integration: 'another00000' }, A_MESSAGE);
      expect(await allPagesOf(pending)).toEqual([]);
    });
  });

const lengthsOfPages = (total: number) => {
  const lengths = Array<number>(Math.floor(total / LIMIT)).fill(LIMIT);
  return total % LIMIT === 0 ? lengths : [...lengths, total % LIMIT];
};

const ONE_O_CLOCK = new Date('2026-11-20T13:00:00.000Z');
const WAITING = { ...A_MESSAGE, dueAt: ONE_O_CLOCK };

const duesOf = async (pending: PendingEvents) =>
  (await pending.oldest(INTEGRATION, 10)).map(({ dueAt }) => dueAt);

const dueContract = (name: string, create: () => Promise<PendingEvents>) =>
  describe(`${name} as the keeper of when pending events are due`, () => {
    it('stores when the next attempt of an event is due', async () => {
      const pending = await create();
      await pending.put(aDelivery(), WAITING);
      const [oldest] = await pending.oldest(INTEGRATION, 1);
      expect(oldest).toMatchObject({ dueAt: '2026-11-20T13:00:00.000Z' });
      expect(oldest?.delivery).toEqual(aDelivery());
      expect(await pending.newest(INTEGRATION, 1)).toEqual([oldest]);
    });

    it('stores when each of several events is due, stored at once', async () => {
      const pending = await create();
      await Promise.all([
        pending.put(aDelivery({ event: anEventReference('evt_1') }), WAITING),
        pending.put(aDelivery({ event: anEventReference('evt_2') }), A_MESSAGE),
      ]);
      expect(await duesOf(pending)).toEqual([WAITING.dueAt.toISOString(), undefined]);
    });

    it('counts an attempt of an event, which is due as before', async () => {
      const pending = await create();
      await pending.put(aDelivery(), WAITING);
      for (const event of await pending.oldest(INTEGRATION, 1)) {
        await pending.countAttempt(event);
      }
      expect(await duesOf(pending)).toEqual([WAITING.dueAt.toISOString()]);
    });

    it('takes an event for due that is stored again without a time', async () => {
      const pending = await create();
      await pending.put(aDelivery(), WAITING);
      await pending.put(aDelivery(), A_MESSAGE);
      expect(await duesOf(pending)).toEqual([undefined]);
    });
  });

pagesContract('memory', async () => new InMemoryPendingEvents());
dueContract('memory', async () => new InMemoryPendingEvents());

describe('DynamoDB', () => {
  const tables = useTables();

  const newTable = () => tables.createTable('partition', 'entry');
  const over = (table: string, client = tables.client) => new DynamoDbPendingEvents(client, table);

  pagesContract('a table', async () => over(await newTable()));
  dueContract('a table', async () => over(await newTable()));

  it('reads each item once, and many with a call', async () => {
    const table = await newTable();
    await store(over(table), numbered(400));
    const reads: number[] = [];
    const client = {
      send: async (command: QueryCommand) => {
        const output = await tables.client.send(command);
        reads.push(output.Items?.length ?? 0);
        return output;
      },
    } as unknown as DynamoDBDocumentClient;
    await allPagesOf(over(table, client));
    expect(reads.reduce((sum, count) => sum + count)).toBe(400);
    // Of each partition 20 items with a call, and the end, which may be a call of its own.
    expect(reads.length).toBeLessThanOrEqual(400 / LIMIT + 2 * 8);
  });

  describe('with items that cannot be read', () => {
    const damages: [string, (item: Record<string, unknown>) => Record<string, unknown>][] = [
      ['a damaged body', (item) => ({ ...item, deflated: Buffer.from([1, 255, 255]) })],
      [
        'a body of an unknown dictionary',
        (item) => ({ ...item, deflated: Buffer.from([9, 3, 0]) }),
      ],
      ['no body', ({ deflated: _, ...item }) => item],
      ['no event', ({ reference: _, ...item }) => item],
      ['another event', (item) => ({ ...item, reference: anEventReference('evt_another') })],
      ['an unknown trigger', (item) => ({ ...item, trigger: 'unheard-of' })],
      ['no version', ({ version: _, ...item }) => item],
    ];

    const damagedTable = async (
      count: number,
      isDamaged: (second: number) => boolean,
      damage: (item: Record<string, unknown>) => Record<string, unknown>,
    ) => {
      const table = await newTable();
      const ids = numbered(count);
      await store(over(table), ids);
      const unread: unknown[] = [];
      const damaged = ids.filter((_, second) => isDamaged(second));
      const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));
      for (const item of Items.filter(({ reference }) => damaged.includes(reference.id))) {
        await tables.client.send(new PutCommand({ TableName: table, Item: damage(item) }));
      }
      const pending = new DynamoDbPendingEvents(tables.client, table, {
        onUnreadable: (keys, fault) => unread.push(...keys.map((key) => ({ ...key, fault }))),
      });
      const left = async () =>
        (await tables.client.send(new ScanCommand({ TableName: table }))).Count;
      return { pending, unread, left, readable: ids.filter((id) => !damaged.includes(id)) };
    };

    it.each(damages)('gives the others, and keeps it: %s', async (_what, damage) => {
      const isDamaged = (second: number) => second % 5 === 0;
      const { pending, unread, left, readable } = await damagedTable(21, isDamaged, damage);

      expect(idsOf(await pending.oldest(INTEGRATION, 10))).toEqual(readable.slice(0, 8));
      expect(idsOf(await pending.newest(INTEGRATION, 3))).toEqual(
        readable.toReversed().slice(0, 3),
      );
      unread.length = 0;
      for (const page of await allPagesOf(pending)) await pending.removeAllAsRead(page);
      expect(unread).toHaveLength(5);
      expect(unread[0]).toMatchObject({ entry: expect.stringContaining('#evt_0') });
      expect(await left()).toBe(5);
      expect(await pending.oldest(INTEGRATION, 10)).toEqual([]);
      expect(await pending.newest(INTEGRATION, 3)).toEqual([]);
    });

    it.each([
      ['oldest', (second: number) => second < 60, 'evt_60'],
      ['newest', (second: number) => second > 9, 'evt_9'],
    ] as const)('finds the %s that can be read behind sixty', async (which, isDamaged, id) => {
      const damage = damages[0]?.[1] ?? ((item) => item);
      const { pending } = await damagedTable(70, isDamaged, damage);

      expect(idsOf(await pending[which](INTEGRATION, 1))).toEqual([id]);
    });
  });

  it('fails when a partition cannot be read', async () => {
    await expect(allPagesOf(over('no-such-table'))).rejects.toThrow();
  });
});
