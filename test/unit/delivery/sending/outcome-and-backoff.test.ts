import { describe, expect, it } from 'vitest';
import { classify, type OutcomeClass } from '../../../../core/delivery/attempt.ts';
import { nextDelayMs, retryAfterMs } from '../../../../core/delivery/sending/backoff.ts';
import { REASONS, type Reason } from '../../../../core/integration/reasons.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';

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

  it('is delivered for a hundred statuses, transient for one, else fatal', () => {
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

const NOON = new Date('2026-11-20T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const POLICY = { firstDelayMs: 15_000, maxDelayMs: HOUR_MS, windowMs: 12 * HOUR_MS };
const SECOND = { number: 2, sinceFirstMs: 15_000, random: 0.5 };

/** Instants of all attempts of a delivery that is never answered, by a queue that counts seconds. */
const attemptsMs = (random: number): number[] => {
  const instants: number[] = [];
  let sinceFirstMs = 0;
  for (let number = 1; number < 100; number += 1) {
    instants.push(sinceFirstMs);
    const delayMs = nextDelayMs(POLICY, { number, sinceFirstMs, random });
    if (delayMs === undefined) return instants;
    sinceFirstMs += Math.ceil(delayMs / 1_000) * 1_000;
  }
  throw new Error('The attempts do not end.');
};

describe('when a delivery that had a transient result is attempted again', () => {
  it.each([
    [1, 12_000, 15_000, 17_994],
    [2, 24_000, 30_000, 35_988],
    [3, 48_000, 60_000, 71_976],
    [4, 96_000, 120_000, 143_952],
    [5, 192_000, 240_000, 287_904],
    [6, 384_000, 480_000, 575_808],
    [7, 768_000, 960_000, 1_151_616],
    [8, 1_536_000, 1_920_000, 2_303_232],
    [9, 2_880_000, 3_600_000, 4_318_560],
    [10, 2_880_000, 3_600_000, 4_318_560],
    [11, 2_880_000, 3_600_000, 4_318_560],
    [12, 2_880_000, 3_600_000, 4_318_560],
  ])(
    'is, after attempt %i, in %i ms at least, %i on average, %i at most',
    (number, ...delaysMs) => {
      const drawn = [0, 0.5, 0.999].map((random) =>
        Math.round(nextDelayMs(POLICY, { number, sinceFirstMs: 0, random }) ?? Number.NaN),
      );
      expect(drawn).toEqual(delaysMs);
    },
  );

  it.each([
    ['longer than the backoff', 31_000, 31_000],
    ['shorter than the backoff', 29_000, 30_000],
    ['none', 0, 30_000],
    ['longer than the longest delay', 2 * HOUR_MS, HOUR_MS],
  ])('takes what the endpoint asked for into account: %s', (_case, asked, delayMs) => {
    expect(nextDelayMs(POLICY, { ...SECOND, retryAfterMs: asked })).toBe(delayMs);
  });

  it.each([
    ['a backoff', undefined],
    ['what the endpoint asked for', HOUR_MS],
  ])('is the window’s end when that comes before %s is over', (_case, asked) => {
    const late = { number: 12, sinceFirstMs: POLICY.windowMs - 60_000, random: 0.5 };
    expect(nextDelayMs(POLICY, { ...late, retryAfterMs: asked })).toBe(60_000);
  });

  it.each([0, 1, HOUR_MS])('is never, %i ms after the window’s end', (overMs) => {
    const last = { number: 20, sinceFirstMs: POLICY.windowMs + overMs, random: 0.5 };
    expect(nextDelayMs(POLICY, { ...last, retryAfterMs: 1_000 })).toBeUndefined();
  });

  it.each([0, 0.5, 0.999])('is for the last time exactly at the window’s end (%f)', (random) => {
    expect(attemptsMs(random).at(-1)).toBe(POLICY.windowMs);
  });

  it('is nineteen times in twelve hours when chance changes no delay', () => {
    expect(attemptsMs(0.5)).toHaveLength(1 + 19);
  });
});

describe('what a Retry-After header asks for', () => {
  it.each([
    ['seconds', '120', 120_000],
    ['seconds among spaces', ' 120 ', 120_000],
    ['no delay', '0', 0],
    ['an HTTP date', 'Fri, 20 Nov 2026 12:02:00 GMT', 120_000],
    ['an HTTP date that is past', 'Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['an obsolete date, of RFC 850', 'Friday, 20-Nov-26 12:02:00 GMT', 120_000],
    ['an obsolete date, of asctime', 'Fri Nov 20 12:02:00 2026', 120_000],
    ['a day of one digit in it', 'Fri Nov  6 12:02:00 2026', 0],
    ['a time in another zone', 'Fri Nov 20 12:02:00 2026 PST', undefined],
    ['nothing readable', 'soon', undefined],
    ['words beside a number', '120 seconds', undefined],
    ['nothing', '', undefined],
    ['not sent', undefined, undefined],
  ])('is understood: %s', (_case, header, delayMs) => {
    expect(retryAfterMs(header, NOON)).toBe(delayMs);
  });
});
