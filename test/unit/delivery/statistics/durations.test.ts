import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  LAST_BUCKET,
  p95Of,
  tallyOf,
} from '../../../../core/delivery/statistics/tally.ts';

const p95OfAll = (durations: readonly number[]): number | undefined =>
  p95Of(tallyOf(durations.map((durationMs) => ({ durationMs, outcome: 'delivered' }))).durations);

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
