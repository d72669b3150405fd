import { describe, expect, it } from 'vitest';
import { createEndTrouble } from '../../core/delivery/end-trouble.ts';
import type { ReplayRequests } from '../../core/delivery/replay-requests.ts';
import type { RetrySchedules } from '../../core/delivery/retry-schedules.ts';
import type { Trouble } from '../../core/integrations/integration.ts';
import { InMemoryIntegrations } from '../support/in-memory-integrations.ts';
import { InMemoryReplayRequests } from '../support/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../support/in-memory-retry-schedules.ts';
import { anIntegration } from '../support/integrations.ts';
import { untouchable } from '../support/untouchable.ts';

const inTrouble = (kind: Trouble['kind']) =>
  anIntegration({
    incident: 3,
    transients: 20,
    delivery: {
      kind,
      since: '2026-11-20T12:00:00.000Z',
      lastAttemptAt: '2026-11-20T12:00:00.000Z',
      nextAttemptAt: '2026-11-20T13:00:00.000Z',
    },
  });
const FAILED = inTrouble('failed');
const RECOVERED = anIntegration({ incident: 4 });
const REQUEST = { account: 'acme', id: FAILED.id };
const SCHEDULE = { ...REQUEST, incident: 3 };

const throttled = () => Promise.reject(new Error('throttled'));

const aRecovery = (stored = FAILED) => {
  const states = new InMemoryIntegrations(stored);
  const schedules = new InMemoryRetrySchedules(SCHEDULE);
  const replays = new InMemoryReplayRequests();
  const recover = createEndTrouble({ states, replays, schedules });
  return { recover, states, schedules, replays };
};

describe('recovering', () => {
  it.each(['busy', 'failed'] as const)(
    'ends that an integration is %s, has what is pending replayed, and ends the hourly retry',
    async (kind) => {
      const { recover, states, schedules, replays } = aRecovery(inTrouble(kind));
      expect(await recover(SCHEDULE)).toBe(true);
      expect(states.all).toEqual([RECOVERED]);
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it.each([
    ['is not in trouble', anIntegration({ incident: 3 })],
    ['is in trouble of a later incident', { ...FAILED, incident: 4 }],
  ])('does nothing to an integration that %s', async (_case, stored) => {
    const states = new InMemoryIntegrations(stored);
    const recover = createEndTrouble({
      states,
      replays: untouchable<ReplayRequests>('the replay requests'),
      schedules: untouchable<RetrySchedules>('the schedules'),
    });
    expect(await recover(SCHEDULE)).toBe(false);
    expect(states.all).toEqual([stored]);
  });

  it('happens once when two find the endpoint well at once', async () => {
    const { recover, replays } = aRecovery();
    expect(await Promise.all([recover(SCHEDULE), recover(SCHEDULE)])).toEqual([true, false]);
    expect(replays.requested).toEqual([REQUEST]);
  });

  it('asks for the replay only when it can no longer be stopped by the trouble', async () => {
    const { recover, states, replays } = aRecovery();
    let whenAsked: unknown;
    Object.assign(replays, {
      request: async () => {
        whenAsked = states.all;
      },
    });
    await recover(SCHEDULE);
    expect(whenAsked).toEqual([RECOVERED]);
  });

  it('leaves the schedule to ask for the replay when it cannot', async () => {
    const { recover, replays, schedules } = aRecovery();
    Object.assign(replays, { request: throttled });
    await expect(recover(SCHEDULE)).rejects.toThrow('throttled');
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('has nothing replayed when the trouble cannot be ended', async () => {
    const { recover, states, replays, schedules } = aRecovery();
    Object.assign(states, { leaveTrouble: throttled });
    await expect(recover(SCHEDULE)).rejects.toThrow('throttled');
    expect(replays.requested).toEqual([]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});
