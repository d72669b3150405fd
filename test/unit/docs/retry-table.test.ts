import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { IN_WORDS } from '../../../core/customer-limits.ts';
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

describe('The pages about deliveries', () => {
  it.each([
    ['README.md', [IN_WORDS.logRetention, IN_WORDS.window]],
    ['docs/integrators/answer-fast.md', [IN_WORDS.responseTimeout, IN_WORDS.window]],
    ['docs/integrators/duplicates-and-order.md', [IN_WORDS.logRetention]],
    ['docs/integrators/failures.md', [IN_WORDS.window]],
    ['docs/integrators/webhooks.md', [IN_WORDS.connectTimeout, IN_WORDS.responseTimeout]],
    ['docs/engineers/architecture.md', [IN_WORDS.logRetention, IN_WORDS.window]],
  ])('have the times of the service in %s', async (path, times) => {
    const page = (await readFile(path, 'utf8')).replaceAll(/\s+/g, ' ');
    const found = page.match(/\b\d+ (?:hours|days)\b|(?<=within (?:the )?)\d+ seconds\b/g);

    expect([...new Set(found)].sort()).toEqual(times.toSorted());
  });
});

describe('The page about the API', () => {
  it('has the limits of an account', async () => {
    const page = (await readFile('docs/integrators/api.md', 'utf8')).replaceAll(/\s+/g, ' ');
    expect(page).toContain(`at most ${IN_WORDS.integrations}, and ${IN_WORDS.accessTokens}`);
  });
});
