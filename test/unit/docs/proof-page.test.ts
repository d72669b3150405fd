import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PAGE, proofPage } from '../../../tools/docs/proof-page.ts';
import { readRecords } from '../../../tools/proof/records.ts';

describe('the page of the proof', () => {
  it('has what the records have: `npm run docs` writes it', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(proofPage(readRecords()));
  });

  it('shows a run with its command and its figures', () => {
    const run = { version: '1.2.3', commit: '0123abcd', date: '2026-11-20' };
    const figures = { histories: 20_000, seeds: '1 to 40' };

    const page = proofPage([{ ...run, title: 'Histories', command: 'npm run simulate', figures }]);

    expect(page).toContain(
      '## Histories\n\n`npm run simulate`, version 1.2.3, commit 0123abcd, 2026-11-20:\n',
    );
    expect(page).toMatch(/\| histories \| 20,000 \|\n\| seeds \| 1 to 40 \|\n$/);
  });
});
