import { describe, expect, it } from 'vitest';
import { buildStorePending } from '../../../../core/delivery/pending/store-pending.ts';
import { buildStoreWaiting } from '../../../../core/delivery/sending/store-event.ts';
import { buildSettingsChange } from '../../../../core/delivery/trouble/settings-change.ts';
import type { Integration } from '../../../../core/integration/integration.ts';
import { late } from '../../../support/called-ports.ts';
import { at } from '../../../support/changes/notices.ts';
import {
  inMemoryParts,
  portsOver,
  type Stored,
} from '../../../support/delivery/in-memory-ports.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { A_MESSAGE, aDelivery } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const FAILED = troubled('failed');
const DELIVERY = aDelivery({ priorAttempts: 3 });

const aStorePending = (stored: Stored = FAILED) => {
  const parts = inMemoryParts(stored);
  const pending = () => parts.pendingEvents.of(DELIVERY.integration);
  return { ...parts, storePending: buildStorePending(portsOver(parts)), pending };
};

const keeping = (overrides: Partial<Integration>): Integration =>
  anIntegration({
    active: false,
    settings: { ...anIntegration().settings, whileInactive: 'keep' },
    ...overrides,
  });

describe('storing a delivery as pending', () => {
  it.each([
    ['failed', FAILED],
    ['busy', troubled('busy')],
    ['inactive', anIntegration({ active: false })],
  ])('stores it and no more while the integration is %s', async (_state, integration) => {
    const { storePending, pending, replays } = aStorePending(integration);
    await storePending(DELIVERY, A_MESSAGE);
    expect(pending()).toEqual([DELIVERY]);
    expect(replays.requested).toEqual([]);
  });

  it.each([0, 1, 2])(
    'keeps it once for an inactive integration, until it is active: %i calls before the process dies',
    async (calls) => {
      const inactive = anIntegration({ active: false });
      const parts = inMemoryParts(inactive);
      const dying = buildStorePending(portsOver(parts, { through: dyingAfter(calls) }));
      await dying(DELIVERY, A_MESSAGE).catch(() => {});
      // SQS hands the message out again.
      await buildStorePending(portsOver(parts))(DELIVERY, A_MESSAGE);
      expect(parts.pendingEvents.of(DELIVERY.integration)).toEqual([DELIVERY]);
      expect([parts.replays.requested, parts.schedules.all]).toEqual([[], []]);

      const active = { ...inactive, active: true, epoch: inactive.epoch + 2 };
      const settingsChange = buildSettingsChange(parts);
      await settingsChange.beforeChange(inactive, active);
      await settingsChange.afterChange(inactive, active);
      expect(parts.replays.requested).toEqual([{ account: 'acme', id: DELIVERY.integration }]);
    },
  );

  it.each([0, 1, 2, 3])(
    'is replayed or scheduled once its integration is active: %i calls before the process dies',
    async (calls) => {
      const inactive = anIntegration({ active: false });
      const parts = inMemoryParts(inactive);
      const active = { ...inactive, active: true, epoch: inactive.epoch + 2 };
      const { integrations, ...ports } = portsOver(parts, { through: dyingAfter(calls) });
      const settingsChange = buildSettingsChange(ports);
      const change = async () => {
        await settingsChange.beforeChange(inactive, active);
        if (await integrations.replace(active, inactive)) {
          await settingsChange.afterChange(inactive, active);
        }
      };
      await change().catch(() => {});
      const isActive = parts.integrations.all[0]?.active === true;
      const isOwed = parts.replays.requested.length > 0 || parts.schedules.all.length > 0;
      expect(!isActive || isOwed).toBe(true);
      expect(isActive).toBe(calls >= 2);
    },
  );

  // It is noon.
  it.each<[title: string, Integration, remindedAt: string | undefined]>([
    ['an hour after', keeping({ inactiveSince: at('11:00:00') }), at('12:00:00')],
    ['no sooner', keeping({ inactiveSince: at('11:00:01') }), undefined],
    ['of one created inactive', keeping({ createdAt: at('11:00:00') }), at('12:00:00')],
    [
      'a day after the last',
      keeping({ inactiveSince: at('11:00:00'), remindedAt: '2026-11-19T12:00:00.000Z' }),
      at('12:00:00'),
    ],
    [
      'not twice a day',
      keeping({ inactiveSince: at('11:00:00'), remindedAt: '2026-11-19T12:00:01.000Z' }),
      '2026-11-19T12:00:01.000Z',
    ],
    [
      'of none that discards events',
      anIntegration({ active: false, inactiveSince: at('11:00:00') }),
      undefined,
    ],
    ['of none that is active', keeping({ active: true, createdAt: at('11:00:00') }), undefined],
  ])('asks to remind its admins: %s', async (_when, integration, remindedAt) => {
    const { storePending, integrations } = aStorePending(integration);
    await storePending(DELIVERY, A_MESSAGE);
    expect(integrations.all[0]?.remindedAt).toBe(remindedAt);
  });

  it('asks to remind its admins if the process dies before', async () => {
    const parts = inMemoryParts(keeping({ inactiveSince: at('11:00:00') }));
    for (const calls of [0, 1, 2]) {
      const dying = buildStorePending(portsOver(parts, { through: dyingAfter(calls) }));
      await expect(dying(DELIVERY, A_MESSAGE)).rejects.toThrow('died');
      expect(parts.integrations.all[0]).not.toHaveProperty('remindedAt');
    }
    await buildStorePending(portsOver(parts))(DELIVERY, A_MESSAGE);
    expect(parts.integrations.all).toMatchObject([{ remindedAt: at('12:00:00') }]);
  });

  it('requests another replay when the trouble has ended meanwhile', async () => {
    const { storePending, pending, replays } = aStorePending(anIntegration());
    await storePending(DELIVERY, A_MESSAGE);
    expect(pending()).toEqual([DELIVERY]);
    expect(replays.requested).toEqual([
      { account: 'acme', id: DELIVERY.integration, onlyDue: true },
    ]);
  });

  it('keeps nothing of an integration that was deleted meanwhile', async () => {
    const { storePending, pending, replays } = aStorePending('deleted');
    await storePending(DELIVERY, A_MESSAGE);
    expect(pending()).toEqual([]);
    expect(replays.requested).toEqual([]);
  });

  it('looks at the integration only when the event is stored', async () => {
    let storedWhenLookedAt: unknown;
    const { storePending, pending, integrations } = aStorePending();
    integrations.find = async () => {
      storedWhenLookedAt = pending();
      return FAILED;
    };
    await storePending(DELIVERY, A_MESSAGE);
    expect(storedWhenLookedAt).toEqual([DELIVERY]);
  });

  it('fails with the event stored when the integration cannot be looked at', async () => {
    const { storePending, pending, integrations } = aStorePending();
    integrations.find = () => Promise.reject(new Error('throttled'));
    await expect(storePending(DELIVERY, A_MESSAGE)).rejects.toThrow('throttled');
    expect(pending()).toEqual([DELIVERY]);
  });

  it('fails when the replay that is owed cannot be asked for', async () => {
    const { storePending, replays } = aStorePending(anIntegration());
    Object.assign(replays, { request: () => Promise.reject(new Error('throttled')) });
    await expect(storePending(DELIVERY, A_MESSAGE)).rejects.toThrow('throttled');
  });
});

const DUE_AT = '2026-11-20T12:30:00.000Z';
const HEALTHY = anIntegration({ epoch: 3 });
const WAITING = troubled('waiting');
const SCHEDULE = { account: 'acme', id: HEALTHY.id, epoch: 3 };

const aStore = (stored: Integration, through = late) => {
  const { integrations, pendingEvents, schedules, ...parts } = inMemoryParts(stored, []);
  const storeWaiting = buildStoreWaiting(
    portsOver({ ...parts, integrations, pendingEvents, schedules }, { through }),
  );
  const store = (read: Integration) =>
    storeWaiting(DELIVERY, read, {
      ...A_MESSAGE,
      latest: { statusCode: 504, lastAttemptAt: '2026-11-20T12:00:00.000Z' },
      dueAt: new Date(DUE_AT),
      inTrouble: read.trouble !== undefined,
    });
  const pending = () => pendingEvents.oldest(DELIVERY.integration, 9);
  return { store, integrations, pendingEvents, schedules, pending };
};

describe('a delivery that waits for the hourly schedule', () => {
  it('makes its integration waiting, and is kept with when it is due', async () => {
    const { store, integrations, schedules, pending } = aStore(HEALTHY);
    expect(await store(HEALTHY)).toBe(true);
    expect(await pending()).toMatchObject([{ delivery: DELIVERY, dueAt: DUE_AT }]);
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting', statusCode: 504 } }]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it.each(['waiting', 'busy', 'failed'] as const)(
    'waits for the schedule of an integration that is %s',
    async (kind) => {
      const { store, integrations, schedules, pending } = aStore(troubled(kind));
      expect(await store(troubled(kind))).toBe(true);
      expect(await pending()).toHaveLength(1);
      expect(integrations.all).toEqual([troubled(kind)]);
      expect(schedules.all).toEqual([]);
    },
  );

  it('is not stored when the epoch that was read is over', async () => {
    const { store, pending } = aStore({ ...HEALTHY, epoch: 5 });
    expect(await store(HEALTHY)).toBe(false);
    expect(await pending()).toEqual([]);
  });

  it('gets another schedule when the epoch ends before it is stored', async () => {
    const { store, integrations, pendingEvents, schedules } = aStore(WAITING);
    const put = pendingEvents.put.bind(pendingEvents);
    pendingEvents.put = async (...given) => {
      await integrations.closeEpoch(WAITING);
      await put(...given);
    };
    expect(await store(WAITING)).toBe(true);
    expect(integrations.all).toMatchObject([{ epoch: 4, trouble: { kind: 'waiting' } }]);
    expect(schedules.all).toEqual([{ ...SCHEDULE, epoch: 4 }]);
  });

  it('is not kept of an integration that was deleted meanwhile', async () => {
    const { store, integrations, pending } = aStore(WAITING);
    await integrations.remove(WAITING);
    expect(await store(WAITING)).toBe(true);
    expect(await pending()).toEqual([]);
  });

  it('fails when the epochs of its integration end too fast', async () => {
    const { store, integrations } = aStore(WAITING);
    integrations.find = async () => ({ ...WAITING, epoch: 9 });
    await expect(store(WAITING)).rejects.toThrow('end too fast');
  });

  it.each([0, 1, 2, 3])(
    'has a schedule if it is stored when its process dies: %i calls',
    async (calls) => {
      const { store, integrations, schedules, pending } = aStore(HEALTHY, dyingAfter(calls));
      await expect(store(HEALTHY)).rejects.toThrow();
      const isStored = (await pending()).length > 0;
      expect(!isStored || schedules.all.length === 1).toBe(true);
      expect(!isStored || integrations.all[0]?.trouble?.kind === 'waiting').toBe(true);
    },
  );
});
