import { describe, expect, it, vi } from 'vitest';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  BUSY,
  backingOff,
  backoff,
  INTEGRATION,
  logBackingOff,
  NOON,
  queued,
  SCHEDULE,
  secondsBeforeNoon,
  streak,
  takeSlots,
  trouble,
  UNTROUBLED,
  WAITING,
} from '../../../support/delivery/sending/troubled-deliverer.ts';

const SLOW = { score: 100_000, notedAt: NOON.toISOString() };

const MOVED = queued(1, {
  trigger: 'rerouted',
  priorAttempts: 1,
  backoff: backoff({ hasSlot: true }),
});

describe('a delivery of a busy integration', () => {
  it('is a probe while it backs off, and stays in the queue', async () => {
    const deliverer = aDeliverer({ stored: BUSY, endpoint: answering(504) });
    await logBackingOff(deliverer, queued(5));
    const result = await deliverer.deliver(queued(5));
    expect(result).toMatchObject(backingOff(240));
    // The integration is busy already.
    expect(result).not.toHaveProperty('became');
    expect(deliverer.pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('is a probe when it backs off after a replay, too', async () => {
    const deliverer = aDeliverer({ stored: BUSY, endpoint: answering(504) });
    const message = queued(2, { trigger: 'replay', priorAttempts: 7 });
    await logBackingOff(deliverer, message);
    expect(await deliverer.deliver(message)).toMatchObject(backingOff(30));
  });

  it('waits as any other when three probes back off already', async () => {
    const deliverer = aDeliverer({ stored: BUSY, endpoint: answering(504) });
    await logBackingOff(deliverer, queued(2));
    await takeSlots(deliverer.slots, 3);
    expect(await deliverer.deliver(queued(2))).toMatchObject({ kind: 'pending' });
    const [pending] = deliverer.pendingEvents.of(INTEGRATION);
    expect(pending).toMatchObject({ priorAttempts: 2 });
    // Its window goes on: all its failures have one.
    expect(pending).toMatchObject({ backoff: { attempts: 2, since: '2026-11-20T12:00:00.000Z' } });
  });

  it('makes the integration failed as a probe that is refused', async () => {
    const deliverer = aDeliverer({ stored: BUSY, endpoint: answering(404) });
    await logBackingOff(deliverer, queued(2));
    expect(await deliverer.deliver(queued(2))).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(deliverer.integrations.all).toMatchObject([
      { trouble: { kind: 'failed', statusCode: 404 } },
    ]);
  });

  it.each([
    ['is new', queued(1)],
    ['came back by a fault of the service', queued(3)],
    ['is replayed', queued(1, { trigger: 'replay', backoff: backoff() })],
  ])('is no probe when it %s', async (_case, message) => {
    const { deliver, pendingEvents } = aDeliverer({ stored: BUSY });
    expect(await deliver(message)).toEqual({ kind: 'pending' });
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
  });

  it.each([
    [
      'backed off before it was pending',
      anAttempt({ number: 4, nextAttemptAt: NOON }, answered(504)),
    ],
    ['was refused when it was attempted last', anAttempt({ number: 6 }, answered(500))],
  ])('is no probe when it comes back by a fault of the service and %s', async (_case, attempt) => {
    const { deliver, log } = aDeliverer({ stored: BUSY });
    await log.record(attempt);
    const message = queued(2, { trigger: 'replay', priorAttempts: 4, backoff: backoff() });
    expect(await deliver(message)).toEqual({ kind: 'pending' });
  });

  it('is no probe in a second message of it, while the first backs off', async () => {
    const deliverer = aDeliverer({ stored: BUSY });
    await logBackingOff(deliverer, queued(2));
    const second = queued(1, { trigger: 'rerouted' });
    expect(await deliverer.deliver(second)).toEqual({ kind: 'pending' });
  });

  it('stays a probe in the slow lane, to which it is moved', async () => {
    const stored = { ...BUSY, slowness: SLOW };
    const fast = aDeliverer({ stored });
    await logBackingOff(fast, queued(2));
    expect(await fast.deliver(queued(2))).toEqual({ kind: 'moved' });
    expect(fast.slowLane.deliveries).toEqual([MOVED.delivery]);
    const slow = aDeliverer({ stored, lane: 'slow', endpoint: answering(504) });
    expect(await slow.deliver(MOVED)).toMatchObject(backingOff(30));
  });
});

describe('a delivery of a failed integration', () => {
  it.each([
    ['backs off', queued(2)],
    ['backed off when it was moved to the slow lane', MOVED],
  ])('is no probe, though it %s', async (_case, message) => {
    const stored = { ...UNTROUBLED, trouble: trouble('failed') };
    const deliverer = aDeliverer({ stored, lane: 'slow' });
    await logBackingOff(deliverer, queued(2));
    expect(await deliverer.deliver(message)).toEqual({ kind: 'pending' });
    const [pending] = deliverer.pendingEvents.of(INTEGRATION);
    // Its replay is no probe. The window of a backoff that began in this queue begins anew.
    const resumed = message === MOVED ? backoff() : undefined;
    expect(pending).toMatchObject({ priorAttempts: 1, backoff: resumed });
  });
});

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

  it('ends nothing when its attempt began before the streak', async () => {
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
    const { startBatch, integrations } = aDeliverer({ stored, endpoint: answering(200) });
    const confirm = vi.spyOn(integrations, 'confirm');
    const other = queued(1, { event: { ...queued().delivery.event, id: 'evt_other' } });
    const { deliver } = startBatch();
    await Promise.all([deliver(queued()), deliver(other)]);
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
    'leaves stored events a schedule when the delivery $name: $count calls',
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

  it('has its message received again, under the same schedule', async () => {
    const { deliver, deliverDyingAfter, pendingEvents, schedules } = aDeliverer({
      stored: CONTINUING,
      endpoint: answering(400),
    });
    for (const count of calls) await deliverDyingAfter(count)().catch(() => {});
    expect(await deliver()).toMatchObject({ kind: 'pending' });
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
    expect(await pendingEvents.oldest(INTEGRATION, 1)).toMatchObject([
      { dueAt: '2026-11-20T12:05:00.000Z' },
    ]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});
