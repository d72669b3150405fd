import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../lib/stages.ts';

const page = readFileSync('docs/operators/capacity.md', 'utf8');
const costs = readFileSync('docs/operators/costs.md', 'utf8');
const settings = settingsFor('prod');

const RATES = [100, 1_000, 10_000];
const PROCESSOR_MB = 1_769;
const AWS_MS = 15;

/** Milliseconds of CPU of a full batch, as the bench measured them. */
const cpuMsOf = (name: string): number =>
  Number(new RegExp(`^\\| ${name} \\| [\\d.]+ \\| ([\\d.]+) \\|`, 'm').exec(costs)?.[1]);

const numbersIn = (row: string): readonly number[] => {
  const [, cells = ''] =
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${row} |`))
      ?.split(row) ?? [];
  return cells
    .split('|')
    .filter((cell) => /\d/.test(cell))
    .map((cell) => Number(cell.replaceAll(/[^\d.]/g, '')));
};

describe('the capacity that docs/operators/capacity.md tells of', () => {
  it.each([
    ['`route-event`, full', 'route-event', 10, 0],
    ['`route-event`, single', 'route-event', 1, 0],
    ['`deliver-webhook`, full, endpoints of 100 ms', 'deliver-webhook', 10, 100],
    ['`deliver-webhook`, single, endpoints of 100 ms', 'deliver-webhook', 1, 100],
    ['`deliver-webhook`, full, endpoints of 1 s', 'deliver-webhook', 10, 1_000],
  ] as const)('is what the settings and the bench give: %s', (row, name, batch, endpointMs) => {
    const { queue } = settings?.memoryMb ?? { queue: Number.NaN };
    const { routing, delivery } = settings?.maximumConcurrency ?? {};
    const cpuMs = (cpuMsOf(name) * batch) / 10;
    const batchMs = cpuMs * (PROCESSOR_MB / queue) + AWS_MS + endpointMs;
    const needed = RATES.map((rate) => Math.ceil(((rate / batch) * batchMs) / 1_000));
    const [has, ...told] = numbersIn(row);

    expect(has).toBe(name === 'route-event' ? routing : delivery);
    expect(told).toHaveLength(RATES.length);
    // The bench measures anew, and its CPU times differ a little.
    for (const [at, value] of needed.entries()) {
      expect(Math.abs((told[at] ?? 0) - value)).toBeLessThanOrEqual(1 + value / 4);
    }
  });

  it('costs what the bench measured', () => {
    const [full = 0, , single = 0] = (/^\| \*\*together\*\* \|(.+)$/m.exec(costs)?.[1] ?? '')
      .split('|')
      .map((cell) => Number(cell.replaceAll(/[^\d.]/g, '')));
    const [millions, ofFull, ofSingle] = numbersIn('1,000');

    expect(millions).toBeCloseTo((1_000 * 30.4 * 86_400) / 1e6, -1);
    expect(Math.abs((ofFull ?? 0) / (full * (millions ?? 0)) - 1)).toBeLessThan(0.1);
    expect(Math.abs((ofSingle ?? 0) / (single * (millions ?? 0)) - 1)).toBeLessThan(0.1);
  });
});
