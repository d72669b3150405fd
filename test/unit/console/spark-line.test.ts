import { describe, expect, it } from 'vitest';
import {
  lastFailedPeriod,
  sparkBars,
  totalOf,
} from '../../../console/src/pages/integrations/spark-line.ts';

const period = (start: string, delivered: number, transient = 0, fatal = 0) => ({
  start,
  delivered,
  transient,
  fatal,
});

describe('the spark line', () => {
  it('draws all bars to the scale of the highest', () => {
    const bars = sparkBars([period('10', 100), period('11', 50), period('12', 0)], 24);
    expect(bars.map(({ delivered }) => delivered)).toEqual([
      { y: 0, height: 24 },
      { y: 12, height: 12 },
      { y: 24, height: 0 },
    ]);
  });

  it('stands failed attempts on delivered attempts', () => {
    const [bar] = sparkBars([period('10', 30, 5, 5)], 40);
    expect(bar).toMatchObject({
      delivered: { y: 10, height: 30 },
      failed: { y: 0, height: 10 },
    });
  });

  it('shows one failed attempt among ten thousand, within the height', () => {
    const [bar] = sparkBars([period('10', 9_999, 0, 1)], 24);
    expect(bar?.failed).toEqual({ y: 0, height: 2 });
    expect(bar?.delivered).toEqual({ y: 2, height: 22 });
  });

  it('is flat where nothing was attempted', () => {
    const [bar] = sparkBars([period('10', 0)], 24);
    expect([bar?.delivered.height, bar?.failed.height]).toEqual([0, 0]);
  });
});

describe('the numbers beside the spark line', () => {
  it('count transient and fatal attempts as failed', () => {
    expect(totalOf([period('10', 3, 1), period('11', 4, 0, 2)])).toEqual({
      delivered: 7,
      failed: 3,
    });
  });

  it('name the latest hour with a failed attempt', () => {
    const hours = [period('10', 0, 1), period('11', 0, 0, 1), period('12', 5)];
    expect(lastFailedPeriod(hours, [])).toEqual({ start: '11', unit: 'hour' });
  });

  it('name the latest day where no hour has a failed attempt', () => {
    const days = [period('mon', 0, 1), period('tue', 1)];
    expect(lastFailedPeriod([period('10', 1)], days)).toEqual({ start: 'mon', unit: 'day' });
  });

  it('name no period where nothing failed', () => {
    expect(lastFailedPeriod([period('10', 1)], [period('mon', 1)])).toBeUndefined();
  });
});
