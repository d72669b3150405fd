import { describe, expect, it } from 'vitest';
import { buildTroubles } from '../../../../core/delivery/trouble/troubles.ts';
import { InMemoryReplayRequests } from '../../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const FAILED = troubled('failed');
const WAITING = troubled('waiting');
const STREAK = { since: '2026-11-20T12:59:00.000Z', transients: 20, refusals: 2 };
const REQUEST = { account: 'acme', id: FAILED.id };
const SCHEDULE = { ...REQUEST, epoch: 3 };

/** The troubles of an integration that has the schedule of epoch 3. */
const ofIntegration = (stored = FAILED, calls = Number.POSITIVE_INFINITY) => {
  const states = new InMemoryIntegrations(stored);
  const schedules = new InMemoryRetrySchedules(SCHEDULE);
  const replays = new InMemoryReplayRequests();
  const through = dyingAfter(calls);
  const { end, wake } = buildTroubles({
    states: through(states),
    schedules: through(schedules),
    replays: through(replays),
    now: () => new Date('2026-11-20T13:00:00.000Z'),
    retryIntervalMs: 3_600_000,
  });
  const left = () => ({
    stored: states.all,
    requested: replays.requested,
    schedules: schedules.all,
  });
  return { end, wake, left };
};

const UNTOUCHED = { requested: [], schedules: [SCHEDULE] };
const ENDED = { stored: [anIntegration({ epoch: 4 })], requested: [REQUEST], schedules: [] };

describe('the end of a trouble', () => {
  it.each(['waiting', 'busy', 'failed'] as const)(
    'ends that an integration is %s, has what is pending replayed, and ends the hourly retry',
    async (kind) => {
      const { end, left } = ofIntegration({ ...troubled(kind), streak: STREAK });
      expect(await end(SCHEDULE)).toBe(true);
      expect(left()).toEqual(ENDED);
    },
  );

  it.each([
    ['is not in trouble', anIntegration({ epoch: 3 })],
    ['is in trouble of a later epoch', { ...FAILED, epoch: 4 }],
  ])('does nothing to an integration that %s', async (_case, stored) => {
    const { end, left } = ofIntegration(stored);
    expect(await end(SCHEDULE)).toBe(false);
    expect(left()).toEqual({ stored: [stored], ...UNTOUCHED });
  });

  it('happens once when two find the endpoint well at once', async () => {
    const { end, left } = ofIntegration();
    expect(await Promise.all([end(SCHEDULE), end(SCHEDULE)])).toEqual([true, false]);
    expect(left()).toEqual(ENDED);
  });
});

describe('waking an integration whose deliveries go on while some wait', () => {
  it.each([
    ['waits', WAITING],
    ['has a schedule and no trouble', anIntegration({ epoch: 3 })],
  ])(
    'has all that is pending replayed of one that %s, and ends its schedule',
    async (_, stored) => {
      const { wake, left } = ofIntegration(stored);
      expect(await wake(SCHEDULE)).toBe(true);
      expect(left()).toEqual(ENDED);
    },
  );

  it('goes on counting outcomes in a row, which no success has ended', async () => {
    const { wake, left } = ofIntegration({ ...WAITING, streak: STREAK });
    await wake(SCHEDULE);
    expect(left().stored).toEqual([anIntegration({ epoch: 4, streak: STREAK })]);
  });

  it.each([
    ['is busy', troubled('busy')],
    ['is failed', FAILED],
    ['waits in a later epoch', { ...WAITING, epoch: 4 }],
  ])('does nothing to an integration that %s', async (_case, stored) => {
    const { wake, left } = ofIntegration(stored);
    expect(await wake(SCHEDULE)).toBe(false);
    expect(left()).toEqual({ stored: [stored], ...UNTOUCHED });
  });
});

describe.each(['end', 'wake'] as const)(
  'a process that dies in the midst of the steps of %s',
  (name) => {
    it.each([
      [0, { stored: [WAITING], ...UNTOUCHED }],
      // The schedule of an epoch that is over asks for the replay.
      [1, { ...ENDED, ...UNTOUCHED }],
      [2, { ...ENDED, schedules: [SCHEDULE] }],
      [3, ENDED],
    ])('leaves who has what waits replayed: %i calls', async (count, expected) => {
      const { left, ...steps } = ofIntegration(WAITING, count);
      await steps[name](SCHEDULE).catch(() => {});
      expect(left()).toEqual(expected);
    });
  },
);
