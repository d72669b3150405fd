import { describe, expect, it } from 'vitest';
import type { ReplayRequests } from '../../../../core/delivery/pending/replay-requests.ts';
import type { RetrySchedules } from '../../../../core/delivery/trouble/retry-schedules.ts';
import { buildTroubles } from '../../../../core/delivery/trouble/troubles.ts';
import type { Trouble } from '../../../../core/integration/integration.ts';
import { InMemoryReplayRequests } from '../../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { untouchable } from '../../../support/untouchable.ts';

const inTrouble = (kind: Trouble['kind']) =>
  anIntegration({
    epoch: 3,
    streak: { since: '2026-11-20T11:59:00.000Z', transients: 20, refusals: 0 },
    trouble: {
      kind,
      since: '2026-11-20T12:00:00.000Z',
      lastAttemptAt: '2026-11-20T12:00:00.000Z',
      nextAttemptAt: '2026-11-20T13:00:00.000Z',
    },
  });
const FAILED = inTrouble('failed');
const AFTERWARDS = anIntegration({ epoch: 4 });
const REQUEST = { account: 'acme', id: FAILED.id };
const SCHEDULE = { ...REQUEST, epoch: 3 };

const AT_NOON = {
  now: () => new Date('2026-11-20T12:00:00.000Z'),
  retryIntervalMs: 3_600_000,
};

const throttled = () => Promise.reject(new Error('throttled'));

const anEnd = (stored = FAILED) => {
  const states = new InMemoryIntegrations(stored);
  const schedules = new InMemoryRetrySchedules(SCHEDULE);
  const replays = new InMemoryReplayRequests();
  const { end } = buildTroubles({ states, replays, schedules, ...AT_NOON });
  return { end, states, schedules, replays };
};

describe('the end of a trouble', () => {
  it.each(['waiting', 'busy', 'failed'] as const)(
    'ends that an integration is %s, has what is pending replayed, and ends the hourly retry',
    async (kind) => {
      const { end, states, schedules, replays } = anEnd(inTrouble(kind));
      expect(await end(SCHEDULE)).toBe(true);
      expect(states.all).toEqual([AFTERWARDS]);
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it.each([
    ['is not in trouble', anIntegration({ epoch: 3 })],
    ['is in trouble of a later epoch', { ...FAILED, epoch: 4 }],
  ])('does nothing to an integration that %s', async (_case, stored) => {
    const states = new InMemoryIntegrations(stored);
    const { end } = buildTroubles({
      ...AT_NOON,
      states,
      replays: untouchable<ReplayRequests>('the replay requests'),
      schedules: untouchable<RetrySchedules>('the schedules'),
    });
    expect(await end(SCHEDULE)).toBe(false);
    expect(states.all).toEqual([stored]);
  });

  it('happens once when two find the endpoint well at once', async () => {
    const { end, replays } = anEnd();
    expect(await Promise.all([end(SCHEDULE), end(SCHEDULE)])).toEqual([true, false]);
    expect(replays.requested).toEqual([REQUEST]);
  });

  it('asks for the replay only when it can no longer be stopped by the trouble', async () => {
    const { end, states, replays } = anEnd();
    let whenAsked: unknown;
    Object.assign(replays, {
      request: async () => {
        whenAsked = states.all;
      },
    });
    await end(SCHEDULE);
    expect(whenAsked).toEqual([AFTERWARDS]);
  });

  it('leaves the schedule to ask for the replay when it cannot', async () => {
    const { end, replays, schedules } = anEnd();
    Object.assign(replays, { request: throttled });
    await expect(end(SCHEDULE)).rejects.toThrow('throttled');
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('has nothing replayed when the trouble cannot be ended', async () => {
    const { end, states, replays, schedules } = anEnd();
    Object.assign(states, { end: throttled });
    await expect(end(SCHEDULE)).rejects.toThrow('throttled');
    expect(replays.requested).toEqual([]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});
