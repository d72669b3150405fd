import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbDeliveryIndex } from '../../adapters/dynamodb/delivery-index/delivery-index.ts';
import { indexPartitionsOf } from '../../adapters/dynamodb/delivery-index/delivery-index-items.ts';
import type { Days, DeliveryIndex } from '../../core/delivery/search/delivery-index.ts';
import { itemBytes } from '../support/adapters/item-bytes.ts';
import { losingFirstAnswer } from '../support/adapters/watched-client.ts';
import { InMemoryDeliveryIndex } from '../support/delivery/in-memory-delivery-index.ts';
import { aStreamedDelivery } from '../support/delivery/streamed-deliveries.ts';

const KEY = { account: 'acme', subject: 'msg_1' };
const INTEGRATION = '0123456789Ab';
const SHARD = 'shardId-00000001732266000000-0a1b2c3d';
const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const DAY_MS = 86_400_000;
const TODAY = Math.floor(NOON / DAY_MS);
const ALWAYS: Days = { from: 0, to: 2_932_896 };

const daysAgo = (days: number, id = 'evt_1') =>
  aStreamedDelivery({ event: { id, occurredAt: new Date(NOON - days * DAY_MS).toISOString() } });

/** A batch of a busy minute: each delivery is about another message. */
const batchOf = (count: number) =>
  Array.from({ length: count }, (_, number) =>
    aStreamedDelivery({
      subject: `msg_${number}`,
      event: { id: `evt_${number}`, occurredAt: new Date(NOON + number).toISOString() },
      position: String(number + 1).padStart(40, '0'),
    }),
  );

const instantsOf = async (
  index: DeliveryIndex,
  key = KEY,
  { days = ALWAYS, integrations = [INTEGRATION] } = {},
) => {
  const { positions } = await index.positionsOf(key, integrations, days);
  return [...new Set(positions.map(({ occurredAt }) => occurredAt))].toSorted();
};

const indexContract = (name: string, create: () => Promise<DeliveryIndex>) =>
  describe(`${name} as the index of deliveries`, () => {
    it.each([1, 7, 8, 100, 1_000])('finds each delivery of a batch of %i', async (count) => {
      const index = await create();
      await index.add(SHARD, batchOf(count));

      for (const number of [0, Math.floor(count / 2), count - 1]) {
        const key = { ...KEY, subject: `msg_${number}` };
        expect(await instantsOf(index, key)).toEqual([NOON + number]);
      }
      expect(await instantsOf(index, { ...KEY, subject: 'msg_none' })).toEqual([]);
      expect(await instantsOf(index, { ...KEY, account: 'globex' })).toEqual([]);
      expect(await instantsOf(index, KEY, { integrations: ['another00000'] })).toEqual([]);
    });

    it('finds the deliveries of an event for 100 integrations, each once', async () => {
      const index = await create();
      const integrations = batchOf(100).map((_, number) => `${number}`.padStart(12, 'hook0'));
      await index.add(
        SHARD,
        integrations.map((integration) => aStreamedDelivery({ integration })),
      );

      const found = async (some: readonly string[]) => {
        const { positions } = await index.positionsOf(KEY, some, ALWAYS);
        return positions.map(({ integration }) => integration).toSorted();
      };
      expect([...new Set(await found(integrations))]).toEqual(integrations.toSorted());
      expect(await found(integrations.slice(7, 8))).toContain(integrations[7]);
      expect((await found(integrations)).length).toBeLessThan(110);
      expect(await found([])).toEqual([]);
    });

    it('finds the deliveries of some days', async () => {
      const index = await create();
      await index.add(SHARD, [daysAgo(0), daysAgo(1), daysAgo(30), daysAgo(-1)]);
      const found = async (from: number, to: number) =>
        (await instantsOf(index, KEY, { days: { from: TODAY - from, to: TODAY - to } })).map(
          (instant) => (NOON - instant) / DAY_MS,
        );

      expect(await found(0, 0)).toEqual([0]);
      expect(await found(29, 1)).toEqual([1]);
      expect(await found(30, 1)).toEqual([30, 1]);
      expect(await found(0, -1)).toEqual([0, -1]);
    });

    it('finds the same when batches come again, whole and in halves', async () => {
      const index = await create();
      const batch = batchOf(100);
      for (const part of [batch, batch, batch.slice(0, 50), batch.slice(50), batch.slice(3)]) {
        await index.add(SHARD, part);
      }

      expect(await instantsOf(index, { ...KEY, subject: 'msg_7' })).toEqual([NOON + 7]);
    });
  });

indexContract('memory', async () => new InMemoryDeliveryIndex());

describe('DynamoDB', () => {
  const tables = useTables();
  const create = async () => {
    const table = await tables.createTable('partition', 'entry');
    return { table, index: new DynamoDbDeliveryIndex(tables.client, table) };
  };
  const itemsIn = async (table: string) => {
    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));
    return Items;
  };

  indexContract('a table', async () => (await create()).index);

  it('keeps a batch of 1,000 in at most 64 items, each one write unit', async () => {
    const { table, index } = await create();
    await index.add(SHARD, batchOf(1_000));

    const items = await itemsIn(table);

    expect(items.length).toBeLessThanOrEqual(64);
    expect(Math.max(...items.map(itemBytes))).toBeLessThan(1_024);
  });

  it('tells about how many bytes DynamoDB reads', async () => {
    const { table, index } = await create();
    const position = '4421584500000000017450439091'.padStart(40, '0');
    await index.add(
      SHARD,
      batchOf(1_000).map((delivery) => ({ ...delivery, position })),
    );
    const read = indexPartitionsOf({ ...KEY, subject: 'msg_7' });
    const items = (await itemsIn(table)).filter(({ partition }) => read.includes(partition));

    const { bytes } = await index.positionsOf({ ...KEY, subject: 'msg_7' }, [INTEGRATION], ALWAYS);

    expect(items).toHaveLength(1);
    expect(Math.abs(bytes - itemBytes(items[0]))).toBeLessThan(10);
  });

  it('keeps a batch that comes again in the same items', async () => {
    const { table, index } = await create();
    await index.add(SHARD, batchOf(100));
    const before = await itemsIn(table);
    await index.add(SHARD, batchOf(100));

    expect(await itemsIn(table)).toEqual(before);
  });

  it('loses nothing of a batch of which the first half comes again', async () => {
    const { index } = await create();
    await index.add(SHARD, batchOf(6));
    await index.add(SHARD, batchOf(3));

    expect(await instantsOf(index, { ...KEY, subject: 'msg_5' })).toEqual([NOON + 5]);
  });

  it('keeps an item as long as the log keeps one of its deliveries', async () => {
    const { table, index } = await create();
    await index.add(SHARD, [daysAgo(0), { ...daysAgo(0), expiresAt: 1_800_000_000 }]);

    expect((await itemsIn(table)).map(({ expiresAt }) => expiresAt)).toEqual([1_800_000_000]);
  });

  it('leaves out events whose time the log cannot order', async () => {
    const { table, index } = await create();
    const at = (occurredAt: string) => aStreamedDelivery({ event: { id: 'evt_1', occurredAt } });
    await index.add(SHARD, [
      at('1969-12-31T23:59:59.999Z'),
      at('+010000-01-01T00:00:00.000Z'),
      daysAgo(0),
    ]);

    expect(await instantsOf(index)).toEqual([NOON]);
    expect(await itemsIn(table)).toHaveLength(1);
  });

  it('keeps a batch whose answer is lost', async () => {
    const { index } = await create();
    await losingFirstAnswer(tables.client, () => index.add(SHARD, batchOf(3)));

    expect(await instantsOf(index)).toEqual([NOON + 1]);
  });

  /** Items live for more than 30 days: they outlive versions of the service. */
  it('writes and reads items as the first version did', async () => {
    const { table, index } = await create();
    const item = {
      partition: '1#0',
      entry: '2026-11-20#00000001732266000000-0a1b2c3d#17#1',
      entries: Buffer.from(FIRST_FORMAT, 'hex'),
      expiresAt: 1_797_768_000,
    };
    await tables.client.send(new PutCommand({ TableName: table, Item: item }));

    expect(await index.positionsOf(KEY, [INTEGRATION], ALWAYS)).toEqual({
      positions: [{ integration: INTEGRATION, occurredAt: NOON, part: expect.any(Number) }],
      bytes: 120,
    });
    const other = await create();
    await other.index.add(SHARD, [aStreamedDelivery({ position: '17'.padStart(40, '0') })]);
    expect(
      (await itemsIn(other.table)).map((each) => ({ ...each, entries: Buffer.from(each.entries) })),
    ).toEqual([item]);
  });
});

const FIRST_FORMAT = '9fa0781e02932e006920';
