import { describe, expect, it } from 'vitest';
import { ROWS, type Row, slow } from '../../bench/capacity/customers.ts';
import {
  type Found,
  missesOf,
  type RunSettings,
  simulateAlone,
  simulateRow,
} from '../../bench/capacity/table.ts';
import type { StageSettings } from '../../lib/stage-settings.ts';
import { settingsFor } from '../../lib/stages.ts';

const prod = settingsFor('prod') as StageSettings;

const rowOf = (name: string): Row => ROWS.find((row) => row.name === name) as Row;

/** A sixtieth of the customers of the table, so that a row takes a second. */
const small: RunSettings = {
  stage: prod,
  integrations: 300,
  eventsPerSecond: 6,
  minutes: 15,
  warmUpMinutes: 5,
  seed: 1,
};

const withDeliveries = (delivery: number): RunSettings => ({
  ...small,
  stage: { ...prod, maximumConcurrency: { ...prod.maximumConcurrency, delivery } },
});

const compared = async (
  row: Row,
  run: RunSettings,
): Promise<{ row: Row; found: Found; alone: Found }> => ({
  row,
  found: await simulateRow(row, run),
  alone: await simulateAlone(row, run),
});

describe('the capacity model', () => {
  it('finds that healthy customers do not wait for a twentieth that is dead', async () => {
    const result = await compared(rowOf('dead-5'), small);

    expect(missesOf(result)).toEqual([]);
    expect(result.found.mostAtOnce.slow).toBeGreaterThan(0);
  });

  it('finds that a customer whose endpoint takes 2 s gets all its events', async () => {
    const row = {
      ...rowOf('slow-flood'),
      flood: { behaviour: slow, eventsPerSecond: 100, fromMinute: 0, confirms: 1 },
    };

    const { floodRate } = await simulateRow(row, { ...small, minutes: 2, warmUpMinutes: 1 });

    expect(floodRate).toBeGreaterThan(95);
  });

  it('finds that nobody waits for an endpoint of which a tenth hangs', async () => {
    const row = rowOf('hanging-10-at-1000');
    const flood = row.flood && { ...row.flood, eventsPerSecond: 200, fromMinute: 0 };
    const fifth = { ...prod.maximumConcurrency, delivery: 80, slow: 20 };
    const run = { ...small, stage: { ...prod, maximumConcurrency: fifth } };

    const result = await compared(
      { ...row, ...(flood && { flood }) },
      { ...run, minutes: 2, warmUpMinutes: 1 },
    );

    expect(missesOf(result)).toEqual([]);
  });

  it('finds that nobody waits for events of one customer with 100 webhooks', async () => {
    const run = { ...withDeliveries(8), minutes: 4, warmUpMinutes: 1 };
    const row = rowOf('flood-of-100-webhooks');
    const flood = row.flood && { ...row.flood, eventsPerSecond: 1.2, fromMinute: 0 };

    expect(missesOf(await compared({ ...row, ...(flood && { flood }) }, run))).toEqual([]);
  });

  it('finds that healthy customers wait when the fast lane is too small', async () => {
    const result = await compared(rowOf('dead-20'), withDeliveries(2));

    expect(missesOf(result)).toEqual([
      expect.stringMatching(/^the p95 is [\d,]+ times that alone$/),
    ]);
  });

  it('finds the same with the same seed', async () => {
    const run = { ...small, minutes: 6 };

    expect(await simulateRow(rowOf('dead-20'), run)).toEqual(
      await simulateRow(rowOf('dead-20'), run),
    );
  });
});
