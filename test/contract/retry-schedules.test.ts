import { type EmulatedScheduler, startScheduler } from 'local-aws/test/support/scheduler.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventBridgeRetrySchedules } from '../../adapters/scheduler/eventbridge-retry-schedules.ts';
import {
  parseScheduleInput,
  type RetrySchedules,
} from '../../core/delivery/trouble/begin-trouble.ts';
import type { IntegrationEpoch } from '../../core/integration/integration.ts';
import { InMemoryRetrySchedules } from '../support/delivery/trouble/in-memory-retry-schedules.ts';
import { anIntegration } from '../support/integration/integrations.ts';

interface Subject {
  readonly schedules: RetrySchedules & Pick<EventBridgeRetrySchedules, 'make' | 'exists'>;
  existing(): readonly IntegrationEpoch[];
}

const QUEUE = 'arn:aws:sqs:eu-central-1:000000000000:retries';
const DEAD_LETTERS = 'arn:aws:sqs:eu-central-1:000000000000:unsent';

const schedule: IntegrationEpoch = { account: 'acme', id: '0123456789Ab', epoch: 4 };

const retrySchedulesContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the keeper of retry schedules`, () => {
    it('accepts a whole integration, and stores only what it needs', async () => {
      const { schedules, existing } = await create();
      await schedules.ensure(anIntegration(schedule));
      expect(existing()).toEqual([schedule]);
    });

    it('has one schedule for an epoch, however often it is asked for', async () => {
      const { schedules, existing } = await create();
      await Promise.all([schedules.ensure(schedule), schedules.ensure(schedule)]);
      await schedules.ensure(schedule);
      expect(existing()).toEqual([schedule]);
    });

    it('keeps epochs and integrations apart', async () => {
      const { schedules, existing } = await create();
      const nextEpoch = { ...schedule, epoch: 5 };
      const neighbour = { ...schedule, id: 'bbbbbbbbbbbb' };
      for (const one of [schedule, nextEpoch, neighbour]) await schedules.ensure(one);
      await schedules.remove(schedule);
      expect(existing()).toEqual([nextEpoch, neighbour]);
    });

    it('tells a schedule that it makes from one that exists', async () => {
      const { schedules, existing } = await create();
      expect(await schedules.make(schedule)).toBe(true);
      expect(await schedules.make(schedule)).toBe(false);
      expect(existing()).toEqual([schedule]);
    });

    it('knows which epochs have a schedule', async () => {
      const { schedules } = await create();
      await schedules.make(schedule);
      expect(await schedules.exists(schedule)).toBe(true);
      expect(await schedules.exists({ ...schedule, epoch: 5 })).toBe(false);
    });

    it('removes one that does not exist', async () => {
      const { schedules, existing } = await create();
      await schedules.remove(schedule);
      await schedules.ensure(schedule);
      await schedules.remove(schedule);
      await schedules.remove(schedule);
      expect(existing()).toEqual([]);
    });
  });

retrySchedulesContract('memory', async () => {
  const schedules = new InMemoryRetrySchedules();
  return { schedules, existing: () => schedules.all };
});

describe('EventBridge Scheduler', () => {
  let scheduler: EmulatedScheduler;
  let groups = 0;
  beforeAll(async () => {
    scheduler = await startScheduler();
  });
  afterAll(() => scheduler.stop());

  const schedulesIn = (group: string, now = () => scheduler.now()) =>
    new EventBridgeRetrySchedules(scheduler.client, {
      group,
      roleArn: 'arn:aws:iam::000000000000:role/scheduler',
      queueArn: QUEUE,
      deadLetterQueueArn: DEAD_LETTERS,
      retryIntervalMs: 3_600_000,
      now,
    });

  const create = () => {
    groups += 1;
    const group = scheduler.schedules.createGroup(`group-${groups}`).name;
    const definitions = () =>
      scheduler.schedules
        .list()
        .map(({ definition }) => definition)
        .filter(({ GroupName }) => GroupName === group);
    const fired = () =>
      scheduler.fired
        .filter(({ schedule: { definition } }) => definition.GroupName === group)
        .map(({ schedule: { definition }, at }) => ({ input: definition.Target.Input, at }));
    return { group, schedules: schedulesIn(group), definitions, fired };
  };

  retrySchedulesContract('a group', async () => {
    const { schedules, definitions } = create();
    return {
      schedules,
      existing: () => definitions().map(({ Target }) => parseScheduleInput(Target.Input ?? '')),
    };
  });

  it('makes one call for each schedule, however many ask at once', async () => {
    const { schedules, definitions } = create();
    const sent = vi.spyOn(scheduler.client, 'send');
    onTestFinished(() => sent.mockRestore());
    const neighbour = { ...schedule, id: 'bbbbbbbbbbbb' };
    await Promise.all([schedule, neighbour, schedule].map((one) => schedules.ensure(one)));
    expect(sent).toHaveBeenCalledTimes(2);
    expect(definitions().map(({ Name }) => Name)).toEqual(['0123456789Ab-4', 'bbbbbbbbbbbb-4']);
  });

  it('puts a message on the retry queue an hour later, and then every hour', async () => {
    const { schedules, definitions, fired } = create();
    const createdAt = scheduler.now().getTime();
    await schedules.ensure(schedule);
    expect(definitions()).toEqual([
      expect.objectContaining({
        Name: '0123456789Ab-4',
        ScheduleExpression: 'rate(1 hour)',
        Target: {
          Arn: QUEUE,
          RoleArn: 'arn:aws:iam::000000000000:role/scheduler',
          Input: '{"format":1,"account":"acme","id":"0123456789Ab","epoch":4}',
          DeadLetterConfig: { Arn: DEAD_LETTERS },
          RetryPolicy: { MaximumEventAgeInSeconds: 1_800 },
        },
      }),
    ]);
    scheduler.passMinutes(59);
    expect(fired()).toEqual([]);
    scheduler.passMinutes(2 * 60 + 1);
    const input = '{"format":1,"account":"acme","id":"0123456789Ab","epoch":4}';
    expect(fired()).toEqual(
      [1, 2, 3].map((hours) => ({ input, at: new Date(createdAt + hours * 3_600_000) })),
    );
  });

  it('spreads retries of integrations that fail together over ten minutes', async () => {
    const { schedules, definitions } = create();
    await schedules.ensure(schedule);
    expect(definitions().map(({ FlexibleTimeWindow }) => FlexibleTimeWindow)).toEqual([
      { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 10 },
    ]);
  });

  it('does not put off a retry that is waited for', async () => {
    const { schedules, fired } = create();
    await schedules.ensure(schedule);
    scheduler.passMinutes(45);
    await schedules.ensure(schedule);
    scheduler.passMinutes(15);
    expect(fired()).toHaveLength(1);
  });

  it('moves the next message of a schedule, and those after it', async () => {
    const { schedules, definitions, fired } = create();
    await schedules.ensure(schedule);
    const [made] = definitions();
    scheduler.passMinutes(60);
    const movedAt = scheduler.now().getTime();
    await schedules.move(schedule, new Date(movedAt + 48 * 60_000));
    scheduler.passMinutes(47);
    expect(fired()).toHaveLength(1);
    scheduler.passMinutes(61);
    const later = [48, 108].map((minutes) => movedAt + minutes * 60_000);
    expect(fired().map(({ at }) => at.getTime())).toEqual([movedAt, ...later]);
    const { StartDate: _, ClientToken: __, ...others } = made ?? {};
    expect(definitions()).toEqual([expect.objectContaining(others)]);
  });

  it('does not bring back a schedule that was removed by moving it', async () => {
    const { schedules, definitions } = create();
    await schedules.ensure(schedule);
    await schedules.remove(schedule);
    await schedules.move(schedule, new Date(scheduler.now().getTime() + 60_000));
    expect(definitions()).toEqual([]);
  });

  it('sends nothing any more once it is removed', async () => {
    const { schedules, fired } = create();
    await schedules.ensure(schedule);
    await schedules.remove(schedule);
    scheduler.passMinutes(180);
    expect(fired()).toEqual([]);
  });

  it('gives every call its own token, so that none is taken for another', async () => {
    const { schedules, definitions } = create();
    await schedules.ensure(schedule);
    await schedules.ensure({ ...schedule, epoch: 5 });
    const tokens = definitions().map(({ ClientToken }) => ClientToken);
    expect(new Set(tokens)).toHaveLength(2);
    expect(tokens).not.toContain(undefined);
  });

  it('tells of a group that does not exist when it must make a schedule', async () => {
    const schedules = schedulesIn('no-such-group');
    await expect(schedules.ensure(schedule)).rejects.toThrow('no-such-group');
    await expect(schedules.remove(schedule)).resolves.toBeUndefined();
  });

  it('tells of what Scheduler refuses', async () => {
    const aDayAgo = () => new Date(scheduler.now().getTime() - 86_400_000);
    const { group } = create();
    await expect(schedulesIn(group, aDayAgo).ensure(schedule)).rejects.toThrow('StartDate');
    const tooLong = { ...schedule, id: 'x'.repeat(64) };
    await expect(schedulesIn(group).remove(tooLong)).rejects.toThrow();
  });
});
