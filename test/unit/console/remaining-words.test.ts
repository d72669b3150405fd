import { expect, it } from 'vitest';
import { remainingInWords } from '../../../console/src/shared/remaining-words.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');

it.each([
  ['2026-11-27T12:00:00.000Z', '7 d 0 h'],
  ['2026-11-21T11:59:00.000Z', '23 h 59 min'],
  ['2026-11-20T12:01:30.000Z', '1 min 30 s'],
  ['2026-11-20T12:00:00.400Z', '1 s'],
])('counts down to %s as %s', (until, words) => {
  expect(remainingInWords(until, NOW)).toBe(words);
});

it.each(['2026-11-20T12:00:00.000Z', '2026-11-20T11:00:00.000Z'])('ends at %s', (until) => {
  expect(remainingInWords(until, NOW)).toBeUndefined();
});
