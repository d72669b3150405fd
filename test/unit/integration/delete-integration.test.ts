import { describe, expect, it } from 'vitest';
import type { ReplayRequests } from '../../../core/delivery/pending/replay-requests.ts';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import type { RetrySchedules } from '../../../core/delivery/trouble/troubles.ts';
import { buildDeleteIntegration } from '../../../core/integration/change-integration.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { Refusal } from '../../../core/refusal.ts';
import { InMemoryReplayRequests } from '../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { troubled } from '../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';
import { untouchable } from '../../support/untouchable.ts';

const REQUEST = { account: 'acme', id: anIntegration().id };
const OWN_SCHEDULE = { ...REQUEST, epoch: 3 };
/** Of the epoch after it. */
const SAFETY_NET = { ...REQUEST, epoch: 4 };

const UNTROUBLED = anIntegration({ epoch: 3 });
const FAILED = troubled('failed');

const anything = () => {};
const asItIs = <Port extends object>(port: Port): Port => port;

/** Of an integration that has the schedule of its epoch. */
const aDeletion = (stored: Integration = FAILED, through = asItIs) => {
  const integrations = new InMemoryIntegrations(stored);
  const schedules = new InMemoryRetrySchedules(OWN_SCHEDULE);
  const replays = new InMemoryReplayRequests();
  const remove = buildDeleteIntegration({
    pause: async () => {},
    integrations: through(integrations),
    settingsChange: buildSettingsChange({
      schedules: through(schedules),
      replays: through(replays),
    }),
  });
  const deleteIt = (precondition: (stored: Integration) => void = anything) =>
    remove({ ...REQUEST, precondition });
  return { deleteIt, integrations, schedules, replays };
};

/** Nothing but the integration may be touched. */
const aRefusedDeletion = (stored: Integration) => {
  const integrations = new InMemoryIntegrations(stored);
  const remove = buildDeleteIntegration({
    pause: async () => {},
    integrations,
    settingsChange: buildSettingsChange({
      schedules: untouchable<RetrySchedules>('the schedules'),
      replays: untouchable<ReplayRequests>('the replay requests'),
    }),
  });
  return { remove, integrations };
};

describe('deleting an integration', () => {
  it.each([
    ['untroubled', UNTROUBLED],
    ['failed', FAILED],
    ['inactive', { ...UNTROUBLED, active: false }],
  ])('takes it away and has what was kept of it cleared: %s', async (_state, stored) => {
    const { deleteIt, integrations, replays } = aDeletion(stored);
    await deleteIt();
    expect(integrations.all).toEqual([]);
    expect(replays.requested).toEqual([REQUEST]);
  });

  it('ends the hourly retry, and leaves a schedule to clear away what comes late', async () => {
    const { deleteIt, schedules } = aDeletion(FAILED);
    await deleteIt();
    expect(schedules.all).toEqual([SAFETY_NET]);
  });

  it('is tried again, and its precondition judged again, when it loses to a change', async () => {
    const { deleteIt, integrations } = aDeletion(FAILED);
    const judged: number[] = [];
    await deleteIt((stored) => {
      judged.push(stored.revision);
      if (judged.length === 1) {
        void integrations.replace({ ...UNTROUBLED, revision: 2, epoch: 5 }, FAILED);
      }
    });
    expect(judged).toEqual([1, 2]);
    expect(integrations.all).toEqual([]);
  });

  it('is refused when it loses again and again', async () => {
    const { deleteIt, integrations, replays } = aDeletion();
    Object.assign(integrations, { remove: async () => false });
    expect((await refusalOf(() => deleteIt())).kind).toBe('conflict');
    expect(replays.requested).toEqual([]);
  });

  it('has no effect when its precondition does not hold', async () => {
    const { remove, integrations } = aRefusedDeletion(FAILED);
    const precondition = () => {
      throw new Refusal('precondition-failed', 'No.');
    };
    const refusal = await refusalOf(() => remove({ ...REQUEST, precondition }));
    expect(refusal.kind).toBe('precondition-failed');
    expect(integrations.all).toEqual([FAILED]);
  });

  it.each([
    { ...REQUEST, id: 'unknown' },
    { ...REQUEST, account: 'other' },
  ])('is refused when there is none: %j', async (request) => {
    const { remove, integrations } = aRefusedDeletion(FAILED);
    const refusal = await refusalOf(() => remove({ ...request, precondition: anything }));
    expect(refusal.kind).toBe('not-found');
    expect(integrations.all).toEqual([FAILED]);
  });
});

describe('a process that dies in the midst of a deletion', () => {
  /** Reads, makes a schedule, deletes, asks for the clearing, removes the schedule of the trouble. */
  it.each([0, 1, 2, 3, 4, 5])(
    'leaves a schedule to clear the rest away: %i calls',
    async (count) => {
      const { deleteIt, integrations, schedules, replays } = aDeletion(FAILED, dyingAfter(count));
      await deleteIt().catch(() => {});
      expect(integrations.all).toEqual(count >= 3 ? [] : [FAILED]);
      expect(replays.requested).toEqual(count >= 4 ? [REQUEST] : []);
      expect(schedules.all).toEqual(
        expect.arrayContaining([
          ...(count >= 2 ? [SAFETY_NET] : []),
          ...(count >= 5 ? [] : [OWN_SCHEDULE]),
        ]),
      );
    },
  );
});
