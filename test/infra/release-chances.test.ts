import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expressionValue } from './metric-math.ts';
import { type Properties, synthesise } from './template.ts';

const alarms = synthesise('prod')
  .all('AWS::CloudWatch::Alarm')
  .filter(({ path }) => path.endsWith('/NewVersionErrors'));

const MINUTES = 10;
/** Of the calls that a new version gets. */
const SHARE = 0.1;

/** Whether the alarm is raised by these minutes, each with the value of its expression. */
const isRaised = (alarm: Properties, values: readonly number[]): boolean =>
  values.some((_, end) => {
    const looked = values.slice(Math.max(0, end + 1 - Number(alarm.EvaluationPeriods)), end + 1);
    const reached = looked.filter((value) => value >= Number(alarm.Threshold));
    return reached.length >= Number(alarm.DatapointsToAlarm);
  });

/** That a release is stopped if the new version fails in every call, of so many a minute. */
const chanceOf = (alarm: Properties, callsPerMinute: number): number => {
  const called = 1 - (1 - SHARE) ** callsPerMinute;
  const failing = expressionValue(alarm, { errors: 1, calls: 1 });
  const patterns = Array.from({ length: 2 ** MINUTES }, (_, bits) =>
    Array.from({ length: MINUTES }, (_minute, index) => ((bits >> index) & 1) === 1),
  );
  return patterns
    .filter((minutes) =>
      isRaised(
        alarm,
        minutes.map((fails) => (fails ? failing : expressionValue(alarm, {}))),
      ),
    )
    .map((minutes) => minutes.reduce((all, is) => all * (is ? called : 1 - called), 1))
    .reduce((all, each) => all + each, 0);
};

describe.each(alarms.map(({ path, properties }) => [path.split('/')[0], properties] as const))(
  'The alarm of a new version of %s',
  (_, alarm) => {
    const valueFor = (given: Record<string, number>) => expressionValue(alarm, given);
    const raisedAfter = (...values: Record<string, number>[]) =>
      isRaised(alarm, values.map(valueFor));
    const [quiet, fails, works] = [{}, { errors: 1, calls: 1 }, { errors: 0, calls: 40 }];

    it('is raised by two errors in five minutes with few calls, and not by one', () => {
      expect(raisedAfter(fails, quiet, quiet, quiet, fails)).toBe(true);
      expect(raisedAfter(fails, quiet, quiet, quiet, quiet, fails)).toBe(false);
      expect(raisedAfter(quiet, fails, quiet)).toBe(false);
    });

    it('is not raised by two errors of many calls', () => {
      const one = { errors: 1 / 40, calls: 40 };
      expect(raisedAfter(works, one, works, one, works)).toBe(false);
    });

    const isOfConsumer = (alarm.Metrics as Properties[]).length > 2;

    it.runIf(isOfConsumer)('is raised by calls that each fail a message, not by a few', () => {
      const [all, few] = [1, 0.1].map((each) => ({ errors: 0, calls: 40, records: 40 * each }));
      expect(raisedAfter(works, all ?? quiet, works, all ?? quiet)).toBe(true);
      expect(raisedAfter(works, few ?? quiet, works, few ?? quiet, works)).toBe(false);
    });
  },
);

it('The page about upgrades says how probably a broken version is stopped', () => {
  const page = readFileSync('docs/operators/upgrade.md', 'utf8');
  const [alarm] = alarms;
  const chances = [1, 2, 4, 10].map((calls) =>
    Math.round(100 * chanceOf(alarm?.properties ?? {}, calls)),
  );

  expect(page).toContain(
    `${chances[0]} % at 1 call a minute, ${chances[1]} % at 2, ${chances[2]} % at 4 and ${chances[3]} % at 10`,
  );
});
