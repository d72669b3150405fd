import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { filterFaults } from '../../../core/event/event-filter.ts';
import { evaluateFilter } from '../../../core/event/filter-evaluation.ts';

const page = readFileSync('docs/integrators/api.md', 'utf8');
const [, section = ''] = /### Receive only some events(.*?)\n### Warnings/s.exec(page) ?? [];

it('the guide’s filter selects what it says', () => {
  const [, filter = ''] = /```json\n(.*)\n```/.exec(section) ?? [];
  expect(filterFaults(JSON.parse(filter))).toEqual([]);
  const isSent = (to: string, from: string) =>
    evaluateFilter(filter, { message: { to, from } }).isSent;
  expect(isSent('+13035550199', '+447700900123')).toBe(true);
  expect(isSent('+13035550100', '+447700900123')).toBe(false);
  expect(isSent('+13035550199', '+13035550123')).toBe(false);
});

it('the guide’s operators are those of filters', () => {
  const rows = section.split('\n| ').slice(2);
  const matchers = rows.flatMap((row) =>
    (row.split(' | ')[0] ?? '').split('`, `').map((text) => JSON.parse(text.replaceAll('`', ''))),
  );
  expect(matchers).toHaveLength(10);
  expect(filterFaults({ field: matchers })).toEqual([]);
});
