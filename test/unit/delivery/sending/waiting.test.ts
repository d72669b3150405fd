import { describe, expect, it, vi } from 'vitest';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  BUSY,
  INTEGRATION,
  logBackingOff,
  NOON,
  ONE_O_CLOCK,
  queued,
  SCHEDULE,
  secondsBeforeNoon,
  streak,
  takeSlots,
  trouble,
  UNTROUBLED,
  WAITING,
} from '../../../support/delivery/sending/troubled-deliverer.ts';

const REQUEST = { account: 'acme', id: INTEGRATION };
const DUE = { ...REQUEST, onlyDue: true };

describe('a success of a probe', () => {
  it('has deliveries go on in the same epoch, and what is due replayed', async () => {
    const deliverer = aDeliverer({ stored: BUSY, endpoint: answering(200) });
    const { deliver, integrations, schedules, replays } = deliverer;
    await logBackingOff(deliverer, queued(2));
    expect(await deliver(queued(2))).toMatchObject({ kind: 'delivered', endedTrouble: true });
    expect(integrations.all).toEqual([
      { ...UNTROUBLED, confirmedAt: NOON.toISOString(), trouble: trouble('waiting') },
    ]);
    expect(replays.requested).toEqual([DUE]);
    // The schedule has the others replayed.
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('ends nothing when its attempt began before the streak: others have failed since', async () => {
    const since = secondsBeforeNoon(-0.001).toISOString();
    const stored = { ...BUSY, streak: streak({ transients: 20, since }) };
    const deliverer = aDeliverer({ stored, endpoint: answering(200) });
    await logBackingOff(deliverer, queued(2));
    expect(await deliverer.deliver(queued(2))).toMatchObject({ endedTrouble: false });
    expect(deliverer.integrations.all).toEqual([stored]);
    expect(deliverer.replays.requested).toEqual([]);
  });
});

describe('a success', () => {
  it('ends the busy state that began in the streak that it ends', async () => {
    const stored = { ...UNTROUBLED, streak: streak({ transients: 19 }) };
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.begin(stored, trouble('busy'));
      return answered(200);
    });
    const { deliver, integrations } = aDeliverer({ stored, endpoint });
    expect(await deliver()).toMatchObject({ kind: 'delivered', endedTrouble: true });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting' } }]);
  });

  it('ends the streak for all successes of its batch, in one call', async () => {
    const stored = { ...UNTROUBLED, streak: streak({ transients: 3 }) };
    const { deliver, integrations } = aDeliverer({ stored, endpoint: answering(200) });
    const confirm = vi.spyOn(integrations, 'confirm');
    const other = queued(1, { event: { ...queued().delivery.event, id: 'evt_other' } });
    await Promise.all([deliver(), deliver(other)]);
    expect(confirm).toHaveBeenCalledTimes(1);
    expect(integrations.all[0]).not.toHaveProperty('streak');
  });

  it('leaves an integration failed that failed meanwhile', async () => {
    const stored = { ...UNTROUBLED, streak: streak({ transients: 19 }) };
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.begin(stored, trouble('failed'));
      return answered(200);
    });
    const { deliver, integrations } = aDeliverer({ stored, endpoint });
    expect(await deliver()).toMatchObject({ kind: 'delivered', endedTrouble: false });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed' } }]);
  });

  it('of a waiting integration replays nothing: the schedule does', async () => {
    const { deliver, integrations, replays } = aDeliverer({
      stored: WAITING,
      endpoint: answering(200),
    });
    expect(await deliver()).toMatchObject({ kind: 'delivered', endedTrouble: false });
    expect(integrations.all).toEqual([WAITING]);
    expect(replays.requested).toEqual([]);
  });
});

const CONTINUING = {
  ...UNTROUBLED,
  settings: { ...UNTROUBLED.settings, onFatalError: 'continue' as const },
};

describe('a process that dies in the midst of a delivery', () => {
  const scenes = {
    'is refused and kept': { stored: CONTINUING, status: 400 },
    'fails the integration': { stored: UNTROUBLED, status: 400 },
    'has no slot to back off in': { stored: UNTROUBLED, status: 504 },
    'is confirmed as a probe': { stored: BUSY, status: 200 },
  };
  const calls = Array.from({ length: 14 }, (_, call) => call);

  it.each(
    Object.entries(scenes).flatMap(([name, scene]) =>
      calls.map((count) => ({ name, scene, count })),
    ),
  )(
    'leaves what waits with a schedule when the delivery $name: $count calls',
    async ({ scene: { stored, status }, count }) => {
      const endpoint = answering(status);
      const deliverer = aDeliverer({ stored, endpoint });
      const { deliverDyingAfter, integrations, pendingEvents, schedules, replays } = deliverer;
      if (stored === BUSY) await logBackingOff(deliverer, queued(2));
      await takeSlots(deliverer.slots, 50);
      const hasDied = await deliverDyingAfter(count)(queued(stored === BUSY ? 2 : 1)).then(
        () => false,
        () => true,
      );
      const isPending = pendingEvents.of(INTEGRATION).length > 0;
      // A message whose process died is received again.
      expect(hasDied || isPending || status === 200).toBe(true);
      const isTroubled = integrations.all.some((integration) => integration.trouble !== undefined);
      expect(isTroubled || !isPending).toBe(true);
      expect(!isTroubled || schedules.all.length === 1).toBe(true);
      expect(hasDied || status !== 200 || replays.requested.length === 1).toBe(true);
    },
  );

  it('has its message received again, which stores the delivery under the same schedule', async () => {
    const { deliver, deliverDyingAfter, pendingEvents, schedules } = aDeliverer({
      stored: CONTINUING,
      endpoint: answering(400),
    });
    for (const count of calls) await deliverDyingAfter(count)().catch(() => {});
    expect(await deliver()).toMatchObject({ kind: 'pending' });
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
    expect(await pendingEvents.oldest(INTEGRATION, 1)).toMatchObject([{ dueAt: ONE_O_CLOCK }]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});
