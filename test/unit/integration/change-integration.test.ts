import { describe, expect, it } from 'vitest';
import type { ReplayRequests } from '../../../core/delivery/pending/replay-requests.ts';
import type { RetrySchedules } from '../../../core/delivery/trouble/begin-trouble.ts';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import {
  buildChangeIntegration,
  buildDeleteIntegration,
} from '../../../core/integration/change-integration.ts';
import type { Integration, Trouble } from '../../../core/integration/integration.ts';
import { type IntegrationSettings, subscribedTo } from '../../../core/integration/settings.ts';
import { Refusal } from '../../../core/refusal.ts';
import { late } from '../../support/called-ports.ts';
import { inMemoryParts, portsOver } from '../../support/delivery/in-memory-ports.ts';
import { troubled } from '../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { aConfig } from '../../support/integration/in-memory-secrets.ts';
import { ADA, anIntegration, byAdaAt } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';
import { untouchable } from '../../support/untouchable.ts';

const EIGHT_O_CLOCK = '2026-11-21T08:00:00.000Z';
const REQUEST = { account: 'acme', id: anIntegration().id };
const BY_ADA = { ...REQUEST, by: ADA };
const OWN_SCHEDULE = { ...REQUEST, epoch: 3 };
/** Of the epoch that a change leaves out. */
const SAFETY_NET = { ...REQUEST, epoch: 4 };

const UNTROUBLED = anIntegration({ epoch: 3, revision: 7 });
const INACTIVE = { ...UNTROUBLED, active: false, inactiveSince: '2026-11-20T20:00:00.000Z' };
const ofKind = (kind: Trouble['kind']): Integration => ({
  ...troubled(kind),
  revision: 7,
  streak: { since: '2026-11-20T11:59:00.000Z', transients: 20, refusals: 0 },
});
const FAILED = ofKind('failed');

const SETTINGS: IntegrationSettings = {
  active: true,
  config: aConfig({ baseUrl: 'https://new.example.com/', webhookSecret: 'another secret' }),
  settings: { actions: subscribedTo('message.failed'), onFatalError: 'pause' },
};
const CHANGED = {
  ...UNTROUBLED,
  ...SETTINGS,
  revision: 8,
  epoch: 5,
  updatedAt: EIGHT_O_CLOCK,
  changedBy: byAdaAt(EIGHT_O_CLOCK),
};

/** At eight o'clock; an integration in trouble has its schedule. */
const aStore = (stored: Integration = FAILED, through = late, reached = {}) => {
  const parts = inMemoryParts(stored, stored.trouble ? [OWN_SCHEDULE] : []);
  const { integrations, ...others } = portsOver(parts, {
    now: () => new Date(EIGHT_O_CLOCK),
    through,
  });
  const settingsChange = buildSettingsChange({ ...others, ...reached });
  const ports = { ...others, integrations, settingsChange, pause: async () => {} };
  const remove = buildDeleteIntegration(ports);
  const deleteIt = (precondition: (stored: Integration) => void = () => {}) =>
    remove({ ...BY_ADA, precondition });
  const change = buildChangeIntegration(ports);
  return { ...parts, change, remove, deleteIt };
};

/** Nothing but the integration may be touched. */
const aStoreAlone = (stored: Integration) =>
  aStore(stored, late, {
    schedules: untouchable<RetrySchedules>('the schedules'),
    replays: untouchable<ReplayRequests>('the replay requests'),
  });

describe('changing an integration', () => {
  it('stores the new settings as a new revision and epoch', async () => {
    const { change, integrations } = aStoreAlone({
      ...UNTROUBLED,
      streak: { since: '2026-11-20T12:00:00.000Z', transients: 7, refusals: 1 },
    });
    expect(await change(BY_ADA, () => SETTINGS)).toEqual(CHANGED);
    expect(integrations.all).toEqual([CHANGED]);
  });

  it.each(['waiting', 'busy', 'failed'] as const)(
    'ends that it is %s, and has what is pending replayed',
    async (kind) => {
      const { change, integrations, schedules, replays } = aStore(ofKind(kind));
      await change(BY_ADA, () => SETTINGS);
      expect(integrations.all).toEqual([CHANGED]);
      expect(replays.requested).toEqual([REQUEST]);
      expect(schedules.all).toEqual([]);
    },
  );

  it('ends trouble and schedule without a replay when it becomes inactive', async () => {
    const { change, integrations, schedules, replays } = aStore(FAILED);
    await change(BY_ADA, () => ({ ...SETTINGS, active: false }));
    expect(integrations.all).toEqual([{ ...CHANGED, active: false, inactiveSince: EIGHT_O_CLOCK }]);
    expect(replays.requested).toEqual([]);
    expect(schedules.all).toEqual([]);
  });

  it('has what is pending replayed when it is active again', async () => {
    const { change, integrations, schedules, replays } = aStore(INACTIVE);
    await change(BY_ADA, () => SETTINGS);
    expect(integrations.all).toEqual([CHANGED]);
    expect(replays.requested).toEqual([REQUEST]);
    expect(schedules.all).toEqual([]);
  });

  it.each([
    ['has no trouble and gets none', UNTROUBLED, { active: true }],
    ['becomes inactive', UNTROUBLED, { active: false, inactiveSince: EIGHT_O_CLOCK }],
    [
      'is and stays inactive',
      INACTIVE,
      { active: false, inactiveSince: '2026-11-20T20:00:00.000Z' },
    ],
  ])('has no other effect on one that %s', async (_case, stored, { active, ...since }) => {
    const { change, integrations } = aStoreAlone(stored);
    await change(BY_ADA, () => ({ ...SETTINGS, active }));
    expect(integrations.all).toEqual([{ ...CHANGED, active, ...since }]);
  });

  it('is made anew, on what is stored then, when it loses to another', async () => {
    const { change, integrations } = aStore(FAILED);
    const seen: number[] = [];
    const changed = await change(BY_ADA, async (stored) => {
      seen.push(stored.revision);
      if (seen.length === 1) {
        await integrations.replace({ ...FAILED, revision: 8, epoch: 5 }, FAILED);
      }
      return SETTINGS;
    });
    expect(seen).toEqual([7, 8]);
    expect(changed).toEqual({ ...CHANGED, revision: 9, epoch: 7 });
    expect(integrations.all).toEqual([changed]);
  });

  it('replays what is pending when the integration fails after it was read', async () => {
    const { change, integrations, schedules, replays } = aStore(UNTROUBLED);
    const seen: unknown[] = [];
    await change(BY_ADA, async ({ trouble }) => {
      seen.push(trouble?.kind);
      if (trouble === undefined && FAILED.trouble) {
        await schedules.ensure(UNTROUBLED);
        await integrations.begin(UNTROUBLED, FAILED.trouble);
      }
      return SETTINGS;
    });
    expect(seen).toEqual([undefined, 'failed']);
    expect(integrations.all).toEqual([CHANGED]);
    expect(replays.requested).toEqual([REQUEST]);
    expect(schedules.all).toEqual([]);
  });

  it('has no effect when the new settings are refused', async () => {
    const { change, integrations } = aStoreAlone(FAILED);
    const refusal = await refusalOf(() =>
      change(BY_ADA, () => {
        throw new Refusal('validation', 'No.');
      }),
    );
    expect(refusal.kind).toBe('validation');
    expect(integrations.all).toEqual([FAILED]);
  });
});

describe('a process that dies in the midst of a change', () => {
  /** Reads, makes a schedule, stores the change, asks for the replay, removes two schedules. */
  const calls = [0, 1, 2, 3, 4, 5, 6];

  it.each([FAILED, INACTIVE].flatMap((stored) => calls.map((count) => ({ stored, count }))))(
    'leaves a schedule or the replay that it owes: $count calls',
    async ({ stored, count }) => {
      const { change, integrations, schedules, replays } = aStore(stored, dyingAfter(count));
      await change(BY_ADA, () => SETTINGS).catch(() => {});
      const isChanged = count >= 3;
      expect(integrations.all).toEqual([isChanged ? CHANGED : stored]);
      expect(replays.requested).toEqual(count >= 4 ? [REQUEST] : []);
      if (!isChanged && stored.trouble) expect(schedules.all).toContainEqual(OWN_SCHEDULE);
      if (count === 2 || count === 3) expect(schedules.all).toContainEqual(SAFETY_NET);
    },
  );
});

describe('deleting an integration', () => {
  it.each([
    ['untroubled', UNTROUBLED],
    ['failed', FAILED],
    ['inactive', { ...UNTROUBLED, active: false }],
  ])('takes it away and has what was kept of it cleared: %s', async (_state, stored) => {
    const { deleteIt, integrations, replays } = aStore(stored);
    await deleteIt();
    expect(integrations.all).toEqual([]);
    expect(replays.requested).toEqual([REQUEST]);
  });

  it('ends the hourly retry, and leaves a schedule for late changes', async () => {
    const { deleteIt, schedules } = aStore(FAILED);
    await deleteIt();
    expect(schedules.all).toEqual([SAFETY_NET]);
  });

  it('is tried again, with its precondition, when it loses to a change', async () => {
    const { deleteIt, integrations } = aStore(FAILED);
    const judged: number[] = [];
    await deleteIt((stored) => {
      judged.push(stored.revision);
      if (judged.length === 1) {
        void integrations.replace({ ...UNTROUBLED, revision: 8, epoch: 5 }, FAILED);
      }
    });
    expect(judged).toEqual([7, 8]);
    expect(integrations.all).toEqual([]);
  });

  it('is refused when it loses again and again', async () => {
    const { deleteIt, integrations, replays } = aStore();
    Object.assign(integrations, { remove: async () => false });
    expect((await refusalOf(() => deleteIt())).kind).toBe('conflict');
    expect(replays.requested).toEqual([]);
  });

  it('has no effect when its precondition does not hold', async () => {
    const { remove, integrations } = aStoreAlone(FAILED);
    const precondition = () => {
      throw new Refusal('precondition-failed', 'No.');
    };
    const refusal = await refusalOf(() => remove({ ...BY_ADA, precondition }));
    expect(refusal.kind).toBe('precondition-failed');
    expect(integrations.all).toEqual([FAILED]);
  });

  it.each([
    { ...BY_ADA, id: 'unknown' },
    { ...BY_ADA, account: 'other' },
  ])('is refused when there is none, as a change is: %j', async (request) => {
    const { change, remove, integrations } = aStoreAlone(FAILED);
    const deletion = await refusalOf(() => remove({ ...request, precondition: () => {} }));
    const changing = await refusalOf(() => change(request, () => SETTINGS));
    expect([deletion.kind, changing.kind]).toEqual(['not-found', 'not-found']);
    expect(integrations.all).toEqual([FAILED]);
  });
});

describe('a process that dies in the midst of a deletion', () => {
  /** Reads, makes a schedule, deletes, asks for the clearing, removes the schedule of the trouble. */
  it.each([0, 1, 2, 3, 4, 5])(
    'leaves a schedule to clear the rest away: %i calls',
    async (count) => {
      const { deleteIt, integrations, schedules, replays } = aStore(FAILED, dyingAfter(count));
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
