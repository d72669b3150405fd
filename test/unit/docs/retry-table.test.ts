import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { nextDelayMs } from '../../../core/delivery/sending/backoff.ts';
import { limits } from '../../../lib/limits.ts';

it('The table of retries has the delays of the service', async () => {
  const page = await readFile('docs/integrators/failures.md', 'utf8');
  const rows = [...page.matchAll(/^\| (\d+)(?: and later)? \| (\d+) (s|min) \|/gm)];

  expect(rows.map(([, number]) => Number(number))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const [, number, delay, unit] of rows) {
    const before = { number: Number(number) - 1, sinceFirstMs: 0, random: 0.5 };
    expect(nextDelayMs(limits.backoff, before)).toBe(
      Number(delay) * (unit === 's' ? 1_000 : 60_000),
    );
  }
});
