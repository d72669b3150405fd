import { describe, expect, it } from 'vitest';
import {
  aRetry,
  FAILED,
  hanging,
  LATER_FAILED,
  ONE_O_CLOCK,
  REQUEST,
  SCHEDULE,
  TWO_O_CLOCK,
  throttled,
} from '../../../support/delivery/sending/hourly-retry.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const FAILING = {
  kind: 'failed',
  since: ONE_O_CLOCK,
  lastAttemptAt: ONE_O_CLOCK,
  nextAttemptAt: TWO_O_CLOCK,
} as const;

describe('an hourly schedule with nothing to retry', () => {
  it.each([
    ['is out of trouble', anIntegration({ epoch: 4 })],
    ['waits in a later epoch', { ...troubled('waiting'), epoch: 4 }],
    ['is deleted', 'deleted' as const],
  ])(
    'asks for the replay that is owed, then is gone: the integration %s',
    async (_case, stored) => {
      const { retry, replays, schedules } = await aRetry({ stored });
      expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it.each([
    ['is inactive', anIntegration({ epoch: 4, active: false })],
    ['failed again', LATER_FAILED],
  ])('is just gone when the integration %s', async (_case, stored) => {
    const { retry, integrations, replays, schedules } = await aRetry({ stored });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
    expect(replays.requested).toEqual([]);
    expect(schedules.all).toEqual([]);
    expect(integrations.all).toEqual([stored]);
  });

  it('leaves the schedule of a later epoch alone', async () => {
    const { retry, schedules } = await aRetry({ stored: LATER_FAILED });
    await schedules.ensure(LATER_FAILED);
    await retry(SCHEDULE);
    expect(schedules.all).toEqual([{ ...SCHEDULE, epoch: 5 }]);
  });

  it('has what is left of a deleted integration cleared away, though nothing is pending', async () => {
    const { retry, replays } = await aRetry({ stored: 'deleted', pending: [] });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'over' });
    expect(replays.requested).toEqual([REQUEST]);
  });

  it.each([
    ['its own', anIntegration({ epoch: 3 })],
    ['one to come', anIntegration({ epoch: 2 })],
    ['its own, of an inactive integration', anIntegration({ epoch: 3, active: false })],
  ])('closes its epoch before it is gone: %s', async (_case, stored) => {
    const { retry, integrations, replays, schedules } = await aRetry({ stored });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'woken' });
    expect(integrations.all).toEqual([{ ...stored, epoch: 4 }]);
    expect(replays.requested).toContainEqual(REQUEST);
    expect(schedules.all).toEqual([]);
  });

  it('stays while the epoch before its own goes on', async () => {
    const { retry, integrations, schedules } = await aRetry({ stored: { ...FAILED, epoch: 2 } });
    expect(await retry(SCHEDULE)).toEqual({ kind: 'not-due' });
    expect(integrations.all).toEqual([{ ...FAILED, epoch: 2 }]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('makes the attempt when the integration fails meanwhile, and relies on it', async () => {
    const { retry, integrations, schedules } = await aRetry({
      stored: anIntegration({ epoch: 3 }),
      endpoint: hanging(),
    });
    const closeEpoch = integrations.closeEpoch.bind(integrations);
    integrations.closeEpoch = async (epoch) => {
      await integrations.begin(epoch, FAILING);
      return closeEpoch(epoch);
    };
    expect(await retry(SCHEDULE)).toMatchObject({ kind: 'retried' });
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('tells of an epoch that another process has closed at the same time', async () => {
    const { retry } = await aRetry({ stored: anIntegration({ epoch: 3 }) });
    const results = await Promise.all([retry(SCHEDULE), retry(SCHEDULE)]);
    expect(results).toEqual([{ kind: 'woken' }, { kind: 'over' }]);
  });

  it('stays when it cannot ask for the replay', async () => {
    const { retry, replays, schedules } = await aRetry({ stored: anIntegration({ epoch: 4 }) });
    Object.assign(replays, { request: throttled });
    await expect(retry(SCHEDULE)).rejects.toThrow('throttled');
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});
