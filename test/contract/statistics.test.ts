import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import {
  DynamoDbAttemptCounts,
  DynamoDbFilteredCounts,
  DynamoDbStatisticsView,
} from '../../adapters/dynamodb/statistics/statistics.ts';
import type { AttemptCounts } from '../../core/delivery/statistics/count-attempts.ts';
import type { FilteredCounts } from '../../core/delivery/statistics/count-filtered.ts';
import type { StatisticsView } from '../../core/delivery/statistics/get-statistics.ts';
import { bucketOf } from '../../core/delivery/statistics/tally.ts';
import { itemBytes } from '../support/adapters/item-bytes.ts';
import { losingFirstAnswer } from '../support/adapters/watched-client.ts';
import { InMemoryStatistics } from '../support/delivery/statistics/in-memory-statistics.ts';
import { aStreamedAttempt, attemptsAt } from '../support/delivery/statistics/streamed-attempts.ts';

const OF = { integration: '0123456789Ab', hour: '2026-11-20T12' };
const KEY = { account: 'acme', id: OF.integration };
const SHARD = 'shardId-00000001732266000000-0a1b2c3d';

interface Subject {
  readonly counts: AttemptCounts;
  readonly filtered: FilteredCounts;
  readonly view: StatisticsView;
}

const deliveredIn = async ({ view }: Subject, hour = OF.hour): Promise<number | undefined> =>
  (await view.hoursSince(KEY, '2026-11-20T00')).get(hour)?.counts.delivered;

const statisticsContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the keeper of statistics`, () => {
    it('adds up outcomes, delivered events, and the times of answers', async () => {
      const { counts, view } = await create();
      await counts.add(OF, SHARD, [
        aStreamedAttempt({ position: '1', answeredAfterMs: 40 }),
        aStreamedAttempt({ position: '2', answeredAfterMs: 40, counted: 'fatal' }),
      ]);
      await counts.add(OF, SHARD, [
        aStreamedAttempt({ position: '3', answeredAfterMs: 15_000, counted: 'transient' }),
        aStreamedAttempt({ position: '4', answeredAfterMs: undefined }),
        aStreamedAttempt({
          position: '4',
          answeredAfterMs: undefined,
          counted: 'deliveredEvents',
        }),
      ]);

      expect(await view.hoursSince(KEY, OF.hour)).toEqual(
        new Map([
          [
            OF.hour,
            {
              counts: {
                delivered: 2,
                transient: 1,
                fatal: 1,
                deliveredEvents: 1,
                filteredEvents: 0,
              },
              durations: new Map([
                [bucketOf(40), 2],
                [bucketOf(15_000), 1],
              ]),
            },
          ],
        ]),
      );
    });

    it.each([
      ['a whole batch', ['1', '2', '3', '4']],
      ['its first half', ['1', '2']],
      ['its second half', ['3', '4']],
      ['a part of it', ['2', '3']],
      ['its last attempt', ['4']],
    ])('adds nothing again of %s', async (_case, again) => {
      const subject = await create();
      await subject.counts.add(OF, SHARD, attemptsAt('1', '2', '3', '4'));
      await subject.counts.add(OF, SHARD, attemptsAt(...again));

      expect(await deliveredIn(subject)).toBe(4);
    });

    it('adds the new attempts of a batch that is repeated with more', async () => {
      const subject = await create();
      await subject.counts.add(OF, SHARD, attemptsAt('1', '2', '4'));
      await subject.counts.add(OF, SHARD, attemptsAt('1', '2', '4', '5', '7'));
      await subject.counts.add(OF, SHARD, attemptsAt('7', '8'));

      expect(await deliveredIn(subject)).toBe(6);
    });

    it('adds the attempts of each shard, whatever their positions', async () => {
      const subject = await create();
      await subject.counts.add(OF, 'shardId-2', attemptsAt('5', '6'));
      await subject.counts.add(OF, 'shardId-1', attemptsAt('3', '4', '5'));
      await subject.counts.add(OF, 'shardId-2', attemptsAt('5', '6'));

      expect(await deliveredIn(subject)).toBe(5);
    });

    it('counts each hour by itself', async () => {
      const subject = await create();
      await subject.counts.add(OF, SHARD, attemptsAt('4'));
      await subject.counts.add({ ...OF, hour: '2026-11-20T11' }, SHARD, attemptsAt('2', '3'));

      expect(await deliveredIn(subject)).toBe(1);
      expect(await deliveredIn(subject, '2026-11-20T11')).toBe(2);
    });

    it('adds up the events that each filter of an account kept back', async () => {
      const { counts, filtered, view } = await create();
      const [hour, earlier] = [OF.hour, '2026-11-20T11'];
      await filtered.addFiltered({ account: 'acme', hour }, new Map([[KEY.id, 3]]));
      await counts.add(OF, SHARD, attemptsAt('1'));
      await filtered.addFiltered(
        { account: 'acme', hour },
        new Map([
          [KEY.id, 4],
          ['another00000', 5],
        ]),
      );
      await filtered.addFiltered({ account: 'acme', hour: earlier }, new Map([[KEY.id, 6]]));
      await filtered.addFiltered({ account: 'globex', hour }, new Map([['another00000', 7]]));

      const tallies = await view.hoursSince(KEY, earlier);

      expect(tallies.get(hour)?.counts).toMatchObject({ delivered: 1, filteredEvents: 7 });
      expect(tallies.get(earlier)?.counts).toMatchObject({ delivered: 0, filteredEvents: 6 });
      const another = await view.hoursSince({ account: 'acme', id: 'another00000' }, hour);
      expect(another.get(hour)?.counts.filteredEvents).toBe(5);
    });

    it('shows the hours of one integration from an hour on', async () => {
      const { counts, view } = await create();
      for (const hour of ['2026-11-19T23', '2026-11-20T00', '2026-11-20T12']) {
        await counts.add({ ...OF, hour }, SHARD, attemptsAt('1'));
      }
      await counts.add({ ...OF, integration: 'another00000' }, SHARD, attemptsAt('2'));

      const tallies = await view.hoursSince(KEY, '2026-11-20T00');

      expect([...tallies.keys()].toSorted()).toEqual(['2026-11-20T00', '2026-11-20T12']);
      expect(await view.hoursSince({ ...KEY, id: 'none00000000' }, '2026-11-20T00')).toEqual(
        new Map(),
      );
    });
  });

statisticsContract('memory', async () => {
  const statistics = new InMemoryStatistics();
  return { counts: statistics, filtered: statistics, view: statistics };
});

describe('DynamoDB', () => {
  const tables = useTables();

  const create = async () => {
    const table = await tables.createTable('integration', 'hour');
    return {
      table,
      counts: new DynamoDbAttemptCounts(tables.client, table),
      filtered: new DynamoDbFilteredCounts(tables.client, table, { deadlineMs: 8_000 }),
      view: new DynamoDbStatisticsView(tables.client, table),
    };
  };

  statisticsContract('a table', create);

  it('adds a batch once when the answer to its write is lost', async () => {
    const subject = await create();
    await losingFirstAnswer(tables.client, () =>
      subject.counts.add(OF, SHARD, attemptsAt('1', '2')),
    );

    expect(await deliveredIn(subject)).toBe(2);
  });

  it('adds a batch once when a process given up writes after its successor', async () => {
    const subject = await create();
    await losingFirstAnswer(
      tables.client,
      () => subject.counts.add(OF, SHARD, attemptsAt('1', '2')),
      { meanwhile: () => subject.counts.add(OF, SHARD, attemptsAt('1', '2', '3')) },
    );

    expect(await deliveredIn(subject)).toBe(3);
  });

  it('keeps what 100 filters of an account keep back in two write units, for 31 days', async () => {
    const { table, filtered } = await create();
    const ids = Array.from({ length: 100 }, (_, at) => `${at}`.padStart(12, '0'));
    const of = { account: 'a-customer-with-a-long-name', hour: OF.hour };
    await filtered.addFiltered(of, new Map(ids.map((id) => [id, 987_654])));

    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));

    expect(Items.map(({ expiresAt }) => expiresAt)).toEqual([
      Date.parse('2026-12-21T12:00:00.000Z') / 1_000,
    ]);
    expect(itemBytes(Items[0] ?? {})).toBeLessThan(2_048);
  });

  it('keeps an hour of eight shards in one write unit, for 31 days', async () => {
    const { table, counts } = await create();
    for (let shard = 0; shard < 8; shard += 1) {
      const position = `${shard}`.padStart(40, '0');
      const attempts = [3, 30, 300, 3_000].map((answeredAfterMs) =>
        aStreamedAttempt({ position, answeredAfterMs }),
      );
      await counts.add(OF, `shardId-0000000173226600000${shard}-0a1b2c3d`, attempts);
    }

    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: table }));

    expect(Items.map(({ expiresAt }) => expiresAt)).toEqual([
      Date.parse('2026-12-21T12:00:00.000Z') / 1_000,
    ]);
    expect(itemBytes(Items[0] ?? {})).toBeLessThan(1_024);
  });
});
