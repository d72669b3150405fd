import { describe, expect, it } from 'vitest';
import {
  failedOf,
  sparkBars,
} from '../../../packages/console/src/pages/integrations/spark-line.ts';
import {
  barInWords,
  chartOf,
  durationInWords,
  tickInWords,
} from '../../../packages/console/src/pages/webhook/chart.ts';

const period = (delivered: number, transient = 0, fatal = 0, p95Ms?: number) => ({
  start: '2026-11-20T12:00:00.000Z',
  delivered,
  transient,
  fatal,
  deliveredEvents: delivered,
  filteredEvents: 0,
  ...(p95Ms !== undefined && { p95Ms }),
});

const periodAt = (start: string, ...counts: Parameters<typeof period>) => ({
  ...period(...counts),
  start,
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
    [3, 4],
    [41, 60],
    [81, 100],
    [100, 100],
    [101, 200],
  ])('has room for %i attempts at a height of %i', (count, top) => {
    expect(chartOf([period(count)]).top).toBe(top);
  });

  it('has no bar above its height when there is nothing', () => {
    expect(chartOf([])).toEqual({ bars: [], top: 1, ticks: [0, 1] });
  });

  it.each([
    [1, [0, 1]],
    [2, [0, 1, 2]],
    [70, [0, 40, 80]],
  ])('has whole numbers on the axis of values up to %i', (count, ticks) => {
    expect(chartOf([period(count)]).ticks).toEqual(ticks);
  });

  it('shows one failed attempt among ten thousand', () => {
    expect(chartOf([period(9_999, 0, 1)]).bars[0]?.fatal).toBeGreaterThan(0.01);
  });

  it('has the values of a bar in words', () => {
    const words = barInWords(periodAt('2026-11-20T00:00:00.000Z', 7, 1, 2, 87), 'days');
    expect(words).toMatch(
      /: 7 delivered, 1 with a temporary error, 2 failed, p95 response time 87 ms$/,
    );
    expect(barInWords(period(0), 'days')).toMatch(/: no attempts$/);
    expect(barInWords({ ...period(0), filteredEvents: 3 }, 'days')).toMatch(
      /: no attempts, 3 kept back by the filter$/,
    );
  });

  it('has few labels on the axis of times', () => {
    const labels = Array.from({ length: 30 }, (_, index) =>
      tickInWords(new Date(Date.UTC(2026, 9, 28 + index)).toISOString(), 'days', index),
    );
    expect(labels.filter((label) => label !== undefined)).toHaveLength(5);
  });

  it('has durations in words', () => {
    expect([87, 999, 1_240].map(durationInWords)).toEqual(['87 ms', '999 ms', '1.2 s']);
  });
});

describe('the spark line', () => {
  it('draws all bars to the scale of the highest', () => {
    const bars = sparkBars([periodAt('10', 100), periodAt('11', 50), periodAt('12', 0)], 24);
    expect(bars.map(({ delivered }) => delivered)).toEqual([
      { y: 0, height: 24 },
      { y: 12, height: 12 },
      { y: 24, height: 0 },
    ]);
  });

  it('stands failed attempts on delivered attempts', () => {
    const [bar] = sparkBars([periodAt('10', 30, 5, 5)], 40);
    expect(bar).toMatchObject({
      delivered: { y: 10, height: 30 },
      failed: { y: 0, height: 10 },
    });
  });

  it('shows one failed attempt among ten thousand, within the height', () => {
    const [bar] = sparkBars([periodAt('10', 9_999, 0, 1)], 24);
    expect(bar?.failed).toEqual({ y: 0, height: 2 });
    expect(bar?.delivered).toEqual({ y: 2, height: 22 });
  });

  it('is flat where nothing was attempted', () => {
    const [bar] = sparkBars([periodAt('10', 0)], 24);
    expect([bar?.delivered.height, bar?.failed.height]).toEqual([0, 0]);
  });
});

describe('the numbers beside the spark line', () => {
  it('count transient and fatal attempts as failed', () => {
    expect(failedOf(period(3, 1, 2))).toBe(3);
  });
});
