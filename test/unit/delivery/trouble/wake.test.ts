import { describe, expect, it } from 'vitest';
import type { ReplayRequests } from '../../../../core/delivery/pending/replay-requests.ts';
import type { RetrySchedules } from '../../../../core/delivery/trouble/retry-schedules.ts';
import { buildTroubles } from '../../../../core/delivery/trouble/troubles.ts';
import { InMemoryReplayRequests } from '../../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { untouchable } from '../../../support/untouchable.ts';

const WAITING = troubled('waiting');
const STREAK = { since: '2026-11-20T12:59:00.000Z', transients: 7, refusals: 2 };
const REQUEST = { account: 'acme', id: WAITING.id };
const SCHEDULE = { ...REQUEST, epoch: 3 };

const AT_ONE = {
  now: () => new Date('2026-11-20T13:00:00.000Z'),
  retryIntervalMs: 3_600_000,
};

const partsOf = (stored = WAITING) => ({
  states: new InMemoryIntegrations(stored),
  schedules: new InMemoryRetrySchedules(SCHEDULE),
  replays: new InMemoryReplayRequests(),
});

describe('waking an integration whose deliveries go on while some wait', () => {
  it.each([
    ['waits', WAITING],
    ['has a schedule and no trouble', anIntegration({ epoch: 3 })],
  ])(
    'has all that is pending replayed of one that %s, and ends its schedule',
    async (_, stored) => {
      const { states, schedules, replays } = partsOf(stored);
      const { wake } = buildTroubles({ states, schedules, replays, ...AT_ONE });
      expect(await wake(SCHEDULE)).toBe(true);
      expect(states.all).toEqual([anIntegration({ epoch: 4 })]);
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it('goes on counting outcomes in a row, which no success has ended', async () => {
    const { states, schedules, replays } = partsOf({ ...WAITING, streak: STREAK });
    const { wake } = buildTroubles({ states, schedules, replays, ...AT_ONE });
    await wake(SCHEDULE);
    expect(states.all).toEqual([anIntegration({ epoch: 4, streak: STREAK })]);
  });

  it.each([
    ['is busy', troubled('busy')],
    ['is failed', troubled('failed')],
    ['waits in a later epoch', { ...WAITING, epoch: 4 }],
  ])('does nothing to an integration that %s', async (_case, stored) => {
    const { states } = partsOf(stored);
    const { wake } = buildTroubles({
      ...AT_ONE,
      states,
      replays: untouchable<ReplayRequests>('the replay requests'),
      schedules: untouchable<RetrySchedules>('the schedules'),
    });
    expect(await wake(SCHEDULE)).toBe(false);
    expect(states.all).toEqual([stored]);
  });

  it.each([
    [0, { epoch: 3, requested: [], schedules: [SCHEDULE] }],
    // The schedule of an epoch that is over asks for the replay.
    [1, { epoch: 4, requested: [], schedules: [SCHEDULE] }],
    [2, { epoch: 4, requested: [REQUEST], schedules: [SCHEDULE] }],
    [3, { epoch: 4, requested: [REQUEST], schedules: [] }],
  ])('leaves who has it replayed when its process dies: %i calls', async (count, left) => {
    const { states, schedules, replays } = partsOf();
    const through = dyingAfter(count);
    const { wake } = buildTroubles({
      ...AT_ONE,
      states: through(states),
      schedules: through<RetrySchedules>(schedules),
      replays: through<ReplayRequests>(replays),
    });
    await wake(SCHEDULE).catch(() => {});
    expect({
      epoch: states.all[0]?.epoch,
      requested: replays.requested,
      schedules: schedules.all,
    }).toEqual(left);
  });
});
