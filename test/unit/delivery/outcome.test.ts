import { describe, expect, it } from 'vitest';
import {
  classify,
  type OutcomeClass,
  REASONS,
  type Reason,
} from '../../../core/delivery/attempt.ts';
import { answered } from '../../support/delivery/scripted-webhook-endpoint.ts';

const classOf = (statusCode: number): OutcomeClass => classify(answered(statusCode)).class;

describe('what an attempt’s result means', () => {
  it.each<[string, OutcomeClass, number[]]>([
    ['2xx', 'delivered', [200, 201, 204, 250, 299]],
    ['504', 'transient', [504]],
    ['any other 4xx, 5xx', 'fatal', [400, 404, 408, 410, 429, 499, 500, 502, 503, 505, 599]],
    ['1xx final', 'fatal', [100, 101, 102, 103, 199]],
    ['3xx', 'fatal', [300, 301, 302, 304, 307, 308, 399]],
    ['anything else', 'fatal', [0, 99, 600, 700, 999]],
  ])('%s: %s', (_row, outcome, statusCodes) => {
    expect(statusCodes.map(classOf)).toEqual(statusCodes.map(() => outcome));
  });

  it('is delivered for exactly a hundred statuses, transient for one, fatal for the rest', () => {
    const classes = Array.from({ length: 900 }, (_, index) => classOf(100 + index));
    const count = (outcome: OutcomeClass) => classes.filter((each) => each === outcome).length;
    expect([count('delivered'), count('transient'), count('fatal')]).toEqual([100, 1, 799]);
  });

  const notSent: readonly Reason[] = ['address-refused', 'not-sent'];

  it.each((Object.keys(REASONS) as Reason[]).filter((reason) => !notSent.includes(reason)))(
    'is transient without an answer because of %s',
    (reason) => {
      expect(classify({ kind: 'unanswered', reason }).class).toBe('transient');
    },
  );

  it.each(notSent)('is fatal when nothing is sent, because of %s', (reason) => {
    expect(classify({ kind: 'unanswered', reason }).class).toBe('fatal');
  });

  it('comes with the result itself', () => {
    const result = answered(200, 'Thank you');
    expect(classify(result).result).toEqual(result);
  });
});
