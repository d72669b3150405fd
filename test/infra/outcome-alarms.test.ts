import { describe, expect, it } from 'vitest';
import { Random } from '../simulation/chance.ts';
import { type Minute, minutesOf, type Webhooks } from '../support/monitoring/webhooks.ts';
import { expressionValue } from './metric-math.ts';
import { type Properties, synthesise } from './template.ts';

const prod = synthesise('prod');

/** A metric that nobody writes is missing. */
const written = (sums: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum > 0));

const isRaised = (alarm: Properties, sums: Readonly<Record<string, number>>): boolean =>
  expressionValue(alarm, written(sums)) >= Number(alarm.Threshold);

const PERIOD_MINUTES = 15;
const FAULT_AT = 30;

const sumOf = (minutes: readonly Minute[], of: keyof Minute): number =>
  minutes.reduce((sum, minute) => sum + minute[of], 0);

/** The minutes after the fault at the end of which CloudWatch finds the alarm raised. */
const raisedIn = (alarm: Properties, population: readonly Webhooks[], seed: number): number[] => {
  const minutes = minutesOf(population, new Random(seed));
  return minutes.flatMap((_, minute) => {
    const looked = minutes.slice(Math.max(0, minute - PERIOD_MINUTES + 1), minute + 1);
    const sums = {
      stopped: sumOf(looked, 'stopped'),
      confirming: sumOf(looked, 'confirming'),
      failing: sumOf(looked, 'failing'),
    };
    return isRaised(alarm, sums) ? [minute - FAULT_AT] : [];
  });
};

const CANARY: Webhooks = { count: 1, eventsPerHour: 12 };
const BUSY = { eventsPerHour: 40 };
const CALM = { eventsPerHour: 4 };
const SPARSE = { eventsPerHour: 0.1 };

const SEEDS = [1, 2, 3];

describe('The alarm webhooks-failing', () => {
  const alarm = prod.at('Monitoring/webhooks-failing');

  it('looks at the last 15 minutes, at no more metrics than CloudWatch takes', () => {
    const metrics = (alarm.Metrics as Properties[]).flatMap(({ MetricStat }) =>
      MetricStat ? [MetricStat as Properties] : [],
    );

    expect(alarm).toMatchObject({ EvaluationPeriods: 1, TreatMissingData: 'notBreaching' });
    expect(metrics.map(({ Period, Stat }) => [Period, Stat])).toEqual(
      metrics.map(() => [60 * PERIOD_MINUTES, 'Sum']),
    );
    expect(metrics.length).toBeLessThanOrEqual(10);
  });

  it.each<[string, within: number, population: readonly Webhooks[]]>([
    ['all of 25 are refused', 10, [{ ...BUSY, count: 25, fault: 'refused' }]],
    ['all of 25 with few events are refused', 30, [{ ...CALM, count: 25, fault: 'refused' }]],
    ['all of 25 get no answer', 10, [{ ...BUSY, count: 25, fault: 'unanswered' }]],
    ['all of 25 with few events get no answer', 30, [{ ...CALM, count: 25, fault: 'unanswered' }]],
    ['all of 2,000 are refused', 5, [{ ...CALM, count: 2_000, fault: 'refused' }]],
    [
      'a third of 1,000 are refused, with one kind of secret',
      10,
      [
        { ...BUSY, count: 667 },
        { ...BUSY, count: 333, fault: 'refused' },
      ],
    ],
    [
      'a tenth of 5,000 are refused, behind one gateway',
      15,
      [
        { ...CALM, count: 4_500 },
        { ...CALM, count: 500, fault: 'refused' },
      ],
    ],
    [
      'those of one certificate authority get no answer',
      15,
      [
        { ...CALM, count: 120 },
        { ...CALM, count: 180, fault: 'unanswered' },
      ],
    ],
    [
      'a new version with a tenth of the attempts is refused everywhere',
      10,
      [{ ...BUSY, count: 200, fault: 'refused', share: 0.1 }],
    ],
    [
      'they are refused in a night in which hundreds have failed before',
      60,
      [
        { count: 600, ...CALM, isFailed: true },
        { ...SPARSE, count: 2_000, fault: 'refused' },
      ],
    ],
  ])('is raised when %s', (_what, within, population) => {
    for (const seed of SEEDS) {
      const raised = raisedIn(alarm, [CANARY, ...population], seed);
      expect(raised[0]).toBeGreaterThanOrEqual(0);
      expect(raised[0]).toBeLessThan(within);
    }
  });

  it.each<[string, population: readonly Webhooks[]]>([
    ['nothing happens', []],
    ['all are confirmed', [{ ...BUSY, count: 300 }]],
    [
      'one of 25 is refused',
      [
        { ...BUSY, count: 24 },
        { ...BUSY, count: 1, fault: 'refused' },
      ],
    ],
    [
      'one of 25 gets no answer',
      [
        { ...CALM, count: 24 },
        { ...BUSY, count: 1, fault: 'unanswered' },
      ],
    ],
    ['the only one is refused', [{ ...BUSY, count: 1, fault: 'refused' }]],
    ['the only one gets no answer', [{ ...BUSY, count: 1, fault: 'unanswered' }]],
    [
      'a campaign of one customer gets no answer in a quiet night',
      [
        { ...SPARSE, count: 200 },
        { ...SPARSE, count: 1, burst: 2_000, fault: 'unanswered' },
      ],
    ],
    [
      'three customers get no answer in a quiet night',
      [
        { ...SPARSE, count: 200 },
        { ...CALM, count: 3, burst: 19, fault: 'unanswered' },
      ],
    ],
    [
      'the twelve of one customer are refused, among 300',
      [
        { ...BUSY, count: 288 },
        { ...BUSY, count: 12, fault: 'refused' },
      ],
    ],
    [
      'one in a hundred of 10,000 is refused at the same time',
      [
        { ...CALM, count: 9_900 },
        { ...CALM, count: 100, fault: 'refused' },
      ],
    ],
    [
      'hundreds have failed long ago, and the night is quiet',
      [
        { count: 600, ...CALM, isFailed: true },
        { ...SPARSE, count: 5_000 },
      ],
    ],
    [
      'the one with half of all attempts refuses most, and tolerates it',
      [
        { ...CALM, count: 50 },
        { count: 1, eventsPerHour: 2_000, fault: 'tolerated', share: 0.9 },
      ],
    ],
  ])('is quiet when %s', (_what, population) => {
    for (const seed of SEEDS) expect(raisedIn(alarm, [CANARY, ...population], seed)).toEqual([]);
  });
});

describe('The alarm unknown-accounts', () => {
  const alarm = prod.at('Monitoring/unknown-accounts');

  it.each<[raised: boolean, what: string, unknown: number, routed: number]>([
    [true, 'ten of 29 events', 10, 29],
    [true, 'all events', 5_000, 5_000],
    [true, 'those of one customer in ten', 60_000, 600_000],
    [false, 'nine of nine', 9, 9],
    [false, 'those of a removed account, one of 25', 40, 1_000],
    [false, 'those of a removed account, one of 20,000', 30, 600_000],
    [false, 'none', 0, 600_000],
    [false, 'none in a quiet night', 0, 0],
  ])('is raised, %s: %s', (raised, _what, unknown, routed) => {
    expect(isRaised(alarm, { unknown, routed })).toBe(raised);
  });
});
