import { describe, expect, it } from 'vitest';
import { ALONE, ROWS, type Row } from '../../bench/capacity/customers.ts';
import { simulate } from '../../bench/capacity/functions.ts';
import type { RunSettings } from '../../bench/capacity/model.ts';
import type { StageSettings } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';

const prod = settingsFor('prod') as StageSettings;

/** With so many events a second of the flood, if the row has one. */
const rowOf = (name: string, eventsPerSecond = 0): Row => {
  const row = ROWS.find((one) => one.name === name) as Row;
  return row.flood ? { ...row, flood: { ...row.flood, eventsPerSecond } } : row;
};

/** A sixtieth of the customers and of the lanes of the table, so that a row takes a second. */
const small: RunSettings = {
  stage: {
    ...prod,
    maximumConcurrency: { ...prod.maximumConcurrency, delivery: 8, slow: 2 },
  },
  integrations: 300,
  eventsPerSecond: 6,
  minutes: 6,
  warmUpMinutes: 2,
  seed: 1,
};

const alone = await simulate(ALONE, small);

/** How many times as long the healthy wait as alone, and what a flood gets in a second. */
const found = async (row: Row) => {
  const { p95Ms, floodRate } = await simulate(row, small);
  return { p95: p95Ms / alone.p95Ms, floodRate };
};

describe('the capacity model', () => {
  it.each(['dead-5', 'slow-20', 'refusing'])(
    'finds that healthy customers do not wait for others: %s',
    async (name) => {
      expect((await found(rowOf(name))).p95).toBeLessThanOrEqual(1.2);
    },
  );

  it('finds that they wait where no lane is slow', async () => {
    expect((await found(rowOf('no-slow-lane'))).p95).toBeGreaterThan(100);
  });

  it.each([
    ['flood', 33, 33],
    ['slow-flood', 8, 8],
    ['flood-of-100-webhooks', 0.5, 50],
  ])('finds that nobody waits for one customer, who gets all: %s', async (name, sent, rate) => {
    const { p95, floodRate } = await found(rowOf(name, sent));

    expect(p95).toBeLessThanOrEqual(1.2);
    // Events arrive by chance.
    expect(floodRate).toBeGreaterThan(0.8 * rate);
  });
});
