import { expect, it } from 'vitest';
import { MAX_FILTER_BYTES } from '../../../core/event/event-filter.ts';
import { parseExactJson } from '../../../core/event/exact-json.ts';
import { createFilterEvaluation, MAX_STEPS } from '../../../core/event/filter-evaluation.ts';

const WEBHOOKS = 100;

/** How many filters are evaluated, if each webhook of the account has another one of this form. */
const evaluated = (filter: object, data: string): number => {
  const evaluate = createFilterEvaluation()(parseExactJson(data));
  const results = Array.from({ length: WEBHOOKS }, (_, index) =>
    evaluate(JSON.stringify({ ...filter, [`absent${index}`]: [{ exists: false }] })),
  );
  const beyond = results.filter(({ fault }) => fault !== undefined);
  expect(beyond.every(({ isSent }) => isSent)).toBe(true);
  return WEBHOOKS - beyond.length;
};

/** Lists in lists, of one value each time. */
const list = (length: number, value: string, { levels = 1 } = {}) =>
  `${'['.repeat(levels)}${Array(length).fill(value)}${']'.repeat(levels)}`;

const prefixes = Array.from({ length: 150 }, (_, index) => `x${index}`);
const letters = 'ŉ'.repeat(100);

it.each<[what: string, steps: number, filter: object, data: string]>([
  ['values of a deep list', 19_000 * 2, { a: ['x'] }, list(19_000, '1', { levels: 60 })],
  ['lists', 2_000 * 50, { a: ['x'] }, list(2_000, list(0, '', { levels: 50 }))],
  ['objects', 19_000 * 3, { a: { b: ['x'] } }, list(19_000, '{}')],
  ['objects in lists', 2_000 * 32, { a: { b: ['x'] } }, list(2_000, list(1, '{}', { levels: 29 }))],
  [
    'texts in a list of prefixes',
    (200 * JSON.stringify(prefixes).length) / 8,
    { a: [{ 'anything-but': { prefix: prefixes } }] },
    list(200, '"x1"'),
  ],
  [
    'long texts',
    (500 * (MAX_FILTER_BYTES - 100)) / 8,
    { a: [{ prefix: 'x'.repeat(MAX_FILTER_BYTES - 100) }] },
    list(500, `"${'x'.repeat(1_900)}"`),
  ],
  ['digits', 100 * 1_000, { a: ['x'] }, list(100, `1.${'0'.repeat(998)}`)],
])('bounds the steps of an event over all filters: %s', (_, steps, filter, values) => {
  const count = evaluated(filter, `{"a":${values}}`);
  expect(count * steps).toBeLessThanOrEqual(MAX_STEPS);
  expect(count).toBeGreaterThanOrEqual(Math.floor(MAX_STEPS / (steps * 1.2)) - 1);
});

it('folds a text once for all filters', () => {
  const folding = { a: [{ 'equals-ignore-case': letters }] };
  const distinct = (count: number) =>
    `{"a":${JSON.stringify(Array.from({ length: count }, (_, index) => letters.slice(6) + index))}}`;
  expect(evaluated(folding, distinct(100))).toBe(WEBHOOKS);
  expect(evaluated(folding, distinct(MAX_STEPS / letters.length))).toBe(0);
});
