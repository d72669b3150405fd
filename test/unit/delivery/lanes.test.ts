import { describe, expect, it } from 'vitest';
import { laneOf, slownessAfter } from '../../../core/delivery/lanes.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** Noted so many milliseconds before noon. */
const scored = (score: number, msAgo = 300_000) => ({
  slowness: { score, notedAt: new Date(NOON.getTime() - msAgo).toISOString() },
});

const noted = (score: number) => ({ score, notedAt: NOON.toISOString() });

const FAST = { slow: 0, fast: 1 };
const SLOW = { slow: 1, fast: 0 };

describe('the lane of an integration', () => {
  it.each([
    ['fast while nothing is noted', {}, 'fast'],
    ['fast below the score of two slow attempts', scored(7), 'fast'],
    ['slow from that score on', scored(8), 'slow'],
    ['slow until an hour has passed', scored(16, 3_599_999), 'slow'],
    ['fast after an hour', scored(16, 3_600_000), 'fast'],
  ] as const)('is %s', (_case, integration, lane) => {
    expect(laneOf(integration, NOON)).toBe(lane);
  });
});

describe('the score of an integration', () => {
  it.each([
    ['adds four for a slow attempt', {}, SLOW, 4],
    ['takes one off for a fast attempt', scored(12), FAST, 11],
    ['counts all attempts of a batch at once', scored(4), { slow: 3, fast: 2 }, 14],
    ['is at most that of four slow attempts', scored(14), { slow: 9, fast: 0 }, 16],
    ['ends with enough fast attempts', scored(3), { slow: 0, fast: 10 }, 0],
    ['begins anew after an hour', scored(16, 3_600_000), SLOW, 4],
  ])('%s', (_case, before, attempts, score) => {
    expect(slownessAfter(before, attempts, NOON)).toEqual(noted(score));
  });

  it('stays unwritten for a fast endpoint', () => {
    expect(slownessAfter({}, FAST, NOON)).toBeUndefined();
    expect(slownessAfter({}, { slow: 1, fast: 4 }, NOON)).toBeUndefined();
  });

  it('is noted once a minute while it stays the same', () => {
    const attempts = { slow: 10, fast: 0 };
    expect(slownessAfter(scored(16, 59_999), attempts, NOON)).toBeUndefined();
    expect(slownessAfter(scored(16, 60_000), attempts, NOON)).toEqual(noted(16));
  });
});
