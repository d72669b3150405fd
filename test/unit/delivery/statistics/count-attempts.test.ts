import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AttemptCounts,
  buildCountAttempts,
  type StreamedAttempt,
} from '../../../../core/delivery/statistics/count-attempts.ts';
import {
  bucketOf,
  COUNTED,
  LAST_BUCKET,
  p95Of,
  tallyOf,
} from '../../../../core/delivery/statistics/tally.ts';
import { countOf } from '../../../support/count-of.ts';
import { InMemoryStatistics } from '../../../support/delivery/statistics/in-memory-statistics.ts';
import { aStreamedAttempt } from '../../../support/delivery/statistics/streamed-attempts.ts';

const p95OfAll = (durations: readonly number[]): number | undefined =>
  p95Of(
    tallyOf(durations.map((answeredAfterMs) => ({ answeredAfterMs, counted: 'delivered' })))
      .durations,
  );

describe('a percentile of durations', () => {
  it('is none without attempts', () => {
    expect(p95OfAll([])).toBeUndefined();
  });

  it.each([0, 1, 2, 3, 7, 40, 99, 142, 500, 1_000, 2_345, 15_000, 20_000])(
    'is never too low, and at most a quarter too high: %i ms',
    (durationMs) => {
      const p95 = p95OfAll([durationMs]) ?? 0;
      expect(p95).toBeGreaterThanOrEqual(durationMs);
      expect(p95).toBeLessThanOrEqual(Math.max(1, Math.ceil(durationMs * 1.25)));
    },
  );

  it('leaves out the slowest twentieth', () => {
    const fast = Array.from({ length: 95 }, () => 10);
    const slow = Array.from({ length: 5 }, () => 10_000);
    expect(p95OfAll([...slow, ...fast])).toBeLessThan(13);
    expect(p95OfAll([...slow, ...fast.slice(1)])).toBeGreaterThanOrEqual(10_000);
  });

  it('counts what takes longer than any attempt may in the last bucket', () => {
    expect(bucketOf(20_000)).toBe(LAST_BUCKET);
    expect(bucketOf(3_600_000)).toBe(LAST_BUCKET);
  });
});

const SHARD = 'shardId-1';
const INTEGRATIONS = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'] as const;
const [A, B, C] = INTEGRATIONS;

/** What every integration has, by hour. */
const countsOf = (statistics: InMemoryStatistics) =>
  Promise.all(INTEGRATIONS.map((id) => statistics.hoursSince({ account: 'acme', id }, '2026')));

/** Fails a write, before or after it has taken effect, as often as told. */
const dying = (
  counts: AttemptCounts,
  isDying: () => 'before' | 'after' | undefined,
): AttemptCounts => ({
  add: async (...given) => {
    const dies = isDying();
    if (dies === 'before') throw new Error('died');
    await counts.add(...given);
    if (dies === 'after') throw new Error('died');
  },
});

const HOURS = [
  '2026-11-20T11:59:59.999Z',
  '2026-11-20T12:00:00.000Z',
  '2026-11-20T12:59:59.999Z',
] as const;

const attempts: fc.Arbitrary<readonly StreamedAttempt[]> = fc
  .array(
    fc.record({
      integration: fc.constantFrom(...INTEGRATIONS),
      startedAt: fc.constantFrom(...HOURS).map((at) => new Date(at)),
      answeredAfterMs: fc.constantFrom(3, 300),
      counted: fc.constantFrom(...COUNTED),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((drawn) =>
    drawn.map((attempt, index) => ({ ...attempt, position: `${index}`.padStart(3, '0') })),
  );

describe('counting attempts', () => {
  it('adds the attempts of an integration and hour in one write', async () => {
    const writes: (readonly [string, string, number])[] = [];
    const countAttempts = buildCountAttempts({
      counts: {
        add: async ({ integration, hour }, _shard, added) => {
          writes.push([integration, hour, added.length]);
        },
      },
    });

    await countAttempts(SHARD, [
      aStreamedAttempt({ integration: A, position: '1' }),
      aStreamedAttempt({ integration: B, position: '2' }),
      aStreamedAttempt({ integration: A, startedAt: new Date(HOURS[0]), position: '3' }),
      aStreamedAttempt({ integration: A, position: '4' }),
    ]);
    expect(writes).toEqual([
      [A, '2026-11-20T12', 2],
      [B, '2026-11-20T12', 1],
      [A, '2026-11-20T11', 1],
    ]);
  });

  it('counts every hour but one that cannot be written, and names its start', async () => {
    const statistics = new InMemoryStatistics();
    const fault = new Error('throttled');
    const countAttempts = buildCountAttempts({
      counts: {
        add: async (of, ...given) => {
          if (of.integration === B) throw fault;
          await statistics.add(of, ...given);
        },
      },
    });

    const uncounted = await countAttempts(
      SHARD,
      [A, B, B, C].map((integration, index) =>
        aStreamedAttempt({ integration, position: `${index + 1}` }),
      ),
    );
    expect(uncounted).toEqual([{ fault, position: '2' }]);
    const hours = (await countsOf(statistics)).map(({ size }) => size);
    expect(hours).toEqual([1, 0, 1]);
  });

  it('counts each attempt once, wherever the process dies', async () => {
    await fc.assert(
      fc.asyncProperty(
        attempts,
        fc.array(fc.constantFrom('before', 'after', undefined), { maxLength: 12 }),
        fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 6 }),
        async (all, deaths, cuts) => {
          const expected = new InMemoryStatistics();
          await buildCountAttempts({ counts: expected })(SHARD, all);
          const statistics = new InMemoryStatistics();
          const left = [...deaths];
          const counts = dying(statistics, () => left.shift());
          const countAttempts = buildCountAttempts({ counts });

          // The first time in order; a batch that fails comes again, cut anew, and may go on further.
          const ends = [...cuts, all.length].map((cut) => Math.min(cut + 1, all.length));
          let done = 0;
          for (let round = 0; done < all.length; round += 1) {
            const end = Math.max(done + 1, ends[round % ends.length] ?? all.length);
            const isCounted = (await countAttempts(SHARD, all.slice(done, end))).length === 0;
            if (isCounted) done = end;
          }
          // And once more, long after.
          await countAttempts(SHARD, all.slice(Math.floor(all.length / 2)));
          await countAttempts(SHARD, all);
          expect(await countsOf(statistics)).toEqual(await countsOf(expected));
        },
      ),
      { numRuns: countOf({ usually: 200, long: 5_000 }) },
    );
  });
});
