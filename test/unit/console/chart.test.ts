import { describe, expect, it } from 'vitest';
import { chartOf, durationInWords, totalsOf } from '../../../console/src/pages/webhook/chart.ts';

const period = (delivered: number, transient = 0, fatal = 0, p95Ms?: number) => ({
  start: '2026-11-20T12:00:00.000Z',
  delivered,
  transient,
  fatal,
  ...(p95Ms !== undefined && { p95Ms }),
});

describe('the chart of attempts', () => {
  it('stacks shares of a rounded height', () => {
    const { top, bars } = chartOf([period(10, 5, 2), period(0)]);
    expect(top).toBe(20);
    expect(bars).toMatchObject([
      { delivered: 0.5, transient: 0.25, fatal: 0.1 },
      { delivered: 0, transient: 0, fatal: 0 },
    ]);
  });

  it.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [51, 100],
    [100, 100],
    [101, 200],
  ])('has room for %i attempts at a height of %i', (count, top) => {
    expect(chartOf([period(count)]).top).toBe(top);
  });

  it('has no bar above its height when there is nothing', () => {
    expect(chartOf([])).toEqual({ bars: [], top: 1 });
  });

  it('sums up, with the latest p95 that there is', () => {
    expect(totalsOf([period(1, 2, 3, 40), period(1, 0, 0, 87), period(0)])).toEqual({
      delivered: 2,
      transient: 2,
      fatal: 3,
      p95Ms: 87,
    });
  });

  it('has durations in words', () => {
    expect([87, 999, 1_240].map(durationInWords)).toEqual(['87 ms', '999 ms', '1.2 s']);
  });
});
