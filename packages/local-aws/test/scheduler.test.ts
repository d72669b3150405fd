import { describe, expect, it } from 'vitest';
import {
  parseScheduleDefinition,
  type ScheduleDefinition,
} from '../scheduler/schedule-definition.ts';
import { Schedules } from '../scheduler/schedules.ts';
import { createClock } from './support/scheduler.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.parse('2026-11-20T12:00:00Z');

const TARGET = 'arn:aws:sqs:us-east-1:000000000000:retries';

const definition = (changes: Partial<ScheduleDefinition> = {}) =>
  parseScheduleDefinition({
    Name: 'hourly',
    ScheduleExpression: 'rate(1 hour)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: TARGET, RoleArn: 'role' },
    ...changes,
  });

const setUp = (hourSeconds = 3_600) => {
  const clock = createClock(START);
  const firedAt: number[] = [];
  const fire = () => {
    firedAt.push((clock.now() - START) / MINUTE_MS);
  };
  return { clock, firedAt, schedules: new Schedules({ clock, hourSeconds, fire }) };
};

const inSeconds = (instantMs: number): number => instantMs / 1_000;

describe('a schedule with a rate', () => {
  it('fires at once and then every interval when it has no start date', () => {
    const { clock, firedAt, schedules } = setUp();
    schedules.create(definition());
    clock.pass(2 * HOUR_MS);
    expect(firedAt).toEqual([0, 60, 120]);
  });

  it('fires first at its start date', () => {
    const { clock, firedAt, schedules } = setUp();
    schedules.create(definition({ StartDate: inSeconds(START + 30 * MINUTE_MS) }));
    clock.pass(2 * HOUR_MS);
    expect(firedAt).toEqual([30, 90]);
  });

  it('has its interval shortened with the hour, but not its start date', () => {
    const { clock, firedAt, schedules } = setUp(60);
    schedules.create(definition({ StartDate: inSeconds(START + 30 * MINUTE_MS) }));
    clock.pass(32 * MINUTE_MS);
    expect(firedAt).toEqual([30, 31, 32]);
  });

  it('is refused when it should have started more than five minutes ago', () => {
    const { schedules } = setUp();
    const at = (minutes: number) => inSeconds(START - minutes * MINUTE_MS);
    expect(() => schedules.create(definition({ StartDate: at(6) }))).toThrow(/StartDate/);
    expect(() => schedules.create(definition({ StartDate: at(4) }))).not.toThrow();
  });

  it('fires at once when it is updated without a start date', () => {
    const { clock, firedAt, schedules } = setUp();
    schedules.create(definition({ StartDate: inSeconds(START + HOUR_MS) }));
    clock.pass(10 * MINUTE_MS);
    schedules.update(definition());
    clock.pass(HOUR_MS);
    expect(firedAt).toEqual([10, 70]);
    expect(schedules.list()).toHaveLength(1);
  });

  it('stays as it is when an update is refused', () => {
    const { clock, firedAt, schedules } = setUp();
    schedules.create(definition({ StartDate: inSeconds(START + HOUR_MS) }));
    const StartDate = inSeconds(START - HOUR_MS);
    expect(() => schedules.update(definition({ StartDate }))).toThrow(/StartDate/);
    expect(() => schedules.update(definition({ Name: 'another' }))).toThrow(/does not exist/);
    clock.pass(HOUR_MS);
    expect(firedAt).toEqual([60]);
  });

  it('fires no more once it is deleted', () => {
    const { clock, firedAt, schedules } = setUp();
    schedules.create(definition({ StartDate: inSeconds(START + MINUTE_MS) }));
    clock.pass(MINUTE_MS);
    schedules.delete('default', 'hourly');
    clock.pass(3 * HOUR_MS);
    expect(firedAt).toEqual([1]);
    expect(schedules.list()).toEqual([]);
  });
});

describe('a schedule', () => {
  it.each(['cron(0 * * * ? *)', 'at(2026-11-20T12:20:00)', 'rate(0 hours)', 'whenever'])(
    'is refused with the expression %s',
    (ScheduleExpression) => {
      expect(() => setUp().schedules.create(definition({ ScheduleExpression }))).toThrow(
        /Invalid Schedule Expression .* emulates rate\(\) alone/,
      );
    },
  );

  it.each([
    ['the end of a schedule', { EndDate: inSeconds(START) }, /does not emulate EndDate/],
    ['a disabled schedule', { State: 'DISABLED' }, /State/],
    [
      'a topic as its target',
      { Target: { Arn: 'arn:aws:sns:us-east-1:000000000000:topic', RoleArn: 'role' } },
      /Target.Arn: is a target that is not emulated/,
    ],
    ['another time zone', { ScheduleExpressionTimezone: 'Europe/Berlin' }, /Timezone/],
    [
      'an attribute in the input',
      { Target: { Arn: TARGET, RoleArn: 'role', Input: '"<aws.scheduler.scheduled-time>"' } },
      /Target.Input: has attributes: not emulated/,
    ],
  ])('is refused with %s, which is not emulated', (_case, changes, message) => {
    expect(() => parseScheduleDefinition({ ...definition(), ...changes })).toThrow(message);
  });

  it('fires at the beginning of its flexible time window', () => {
    const { clock, firedAt, schedules } = setUp();
    const FlexibleTimeWindow = { Mode: 'FLEXIBLE' as const, MaximumWindowInMinutes: 5 };
    schedules.create(definition({ FlexibleTimeWindow }));
    clock.pass(HOUR_MS);
    expect(firedAt).toEqual([0, 60]);
  });

  it('must be of a group that exists', () => {
    const { schedules } = setUp();
    expect(() => schedules.create(definition({ GroupName: 'nowhere' }))).toThrow(/does not exist/);
  });
});
