import { describe, expect, it } from 'vitest';
import type { ReplayRequests } from '../../../../core/delivery/pending/replay-requests.ts';
import type { RetrySchedules } from '../../../../core/delivery/trouble/retry-schedules.ts';
import { buildSettingsChange } from '../../../../core/delivery/trouble/settings-change.ts';
import { buildChangeIntegration } from '../../../../core/integration/change-integration.ts';
import { InMemoryReplayRequests } from '../../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const REQUEST = { account: 'acme', id: anIntegration().id };
const SCHEDULE = { ...REQUEST, epoch: 3 };
const NOW = '2026-11-20T12:30:00.000Z';

/** A change of an integration's settings, by a process that dies after so many calls. */
const aChange = (stored = anIntegration({ epoch: 3 }), calls = Number.POSITIVE_INFINITY) => {
  const integrations = new InMemoryIntegrations(stored);
  const schedules = new InMemoryRetrySchedules(...(stored.trouble ? [SCHEDULE] : []));
  const replays = new InMemoryReplayRequests();
  const through = dyingAfter(calls);
  const change = buildChangeIntegration({
    integrations: through(integrations),
    settingsChange: buildSettingsChange({
      schedules: through<RetrySchedules>(schedules),
      replays: through<ReplayRequests>(replays),
    }),
    now: () => new Date(NOW),
    pause: async () => {},
  });
  return { change, integrations, schedules, replays };
};

const CHANGED = { epoch: 5, revision: 2, updatedAt: NOW };

describe('a change of settings', () => {
  it.each(['waiting', 'busy', 'failed'] as const)(
    'has all that is pending of a %s integration replayed, due or not',
    async (kind) => {
      const { change, integrations, schedules, replays } = aChange(troubled(kind));
      await change(REQUEST, () => ({}));
      expect(integrations.all).toEqual([anIntegration(CHANGED)]);
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it('has what is pending of an integration replayed that it makes active', async () => {
    const { change, replays } = aChange(anIntegration({ epoch: 3, active: false }));
    await change(REQUEST, () => ({ active: true }));
    expect(replays.requested).toEqual([REQUEST]);
  });

  it.each([
    ['an integration for which nothing waits', anIntegration({ epoch: 3 }), {}],
    ['an integration that it makes inactive', troubled('waiting'), { active: false }],
  ])('asks for no replay of %s', async (_case, stored, settings) => {
    const { change, schedules, replays } = aChange(stored);
    await change(REQUEST, () => settings);
    expect(replays.requested).toEqual([]);
    expect(schedules.all).toEqual([]);
  });

  it('ends the row of outcomes that the old settings had', async () => {
    const streak = { since: '2026-11-20T12:29:00.000Z', transients: 19, refusals: 19 };
    const { change, integrations } = aChange(anIntegration({ epoch: 3, streak }));
    await change(REQUEST, () => ({}));
    expect(integrations.all).toEqual([anIntegration(CHANGED)]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])(
    'leaves a schedule or the replay when its process dies: %i calls',
    async (calls) => {
      const { change, integrations, schedules, replays } = aChange(troubled('waiting'), calls);
      await change(REQUEST, () => ({})).catch(() => {});
      const isChanged = integrations.all.every(({ epoch }) => epoch === CHANGED.epoch);
      expect(isChanged).toBe(calls >= 3);
      expect(schedules.all.length > 0 || replays.requested.length > 0).toBe(true);
      expect(isChanged || schedules.all.some(({ epoch }) => epoch === SCHEDULE.epoch)).toBe(true);
    },
  );
});
