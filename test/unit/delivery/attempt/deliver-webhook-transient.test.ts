import { describe, expect, it } from 'vitest';
import {
  aDeliverer,
  answering,
  BUSY,
  backingOff,
  INTEGRATION,
  NOON,
  queued,
  SCHEDULE,
  secondsBeforeNoon,
  trouble,
  UNTROUBLED,
  WINDOW_MS,
} from '../../../support/delivery/attempt/troubled-deliverer.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const withRow = ({ transients, since = NOON }: { transients: number; since?: Date }) => ({
  ...UNTROUBLED,
  transients,
  transientsSince: since.toISOString(),
});

/** The first slots, taken until a minute after noon. */
const slotsTaken = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, slot) => [
      `backoff${slot}`,
      secondsBeforeNoon(-60).getTime(),
    ]),
  );

describe('a transient result', () => {
  it('backs off in a slot: nothing but the row and the slot changes', async () => {
    const { deliver, integrations, schedules, pendingEvents } = aDeliverer({
      endpoint: answering(504),
    });
    expect(await deliver()).toMatchObject(backingOff(15));
    expect(integrations.all).toEqual([
      {
        ...UNTROUBLED,
        transients: 1,
        transientsSince: NOON.toISOString(),
        slots: { backoff25: secondsBeforeNoon(-15).getTime() },
      },
    ]);
    expect([...schedules.all, ...pendingEvents.of(INTEGRATION)]).toEqual([]);
  });

  it('backs off longer each time the message is received, whatever came before it', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504) });
    const result = await deliver(queued(4, { priorAttempts: 9 }));
    expect(result).toMatchObject(backingOff(120));
  });

  it('spreads by chance when it is tried again', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504), random: 0 });
    expect(await deliver()).toMatchObject(backingOff(12));
  });

  it.each(['120', 'Fri, 20 Nov 2026 12:02:00 GMT'])(
    'waits as long as the endpoint asks for: %s',
    async (retryAfter) => {
      const { deliver } = aDeliverer({ endpoint: answering(504, retryAfter) });
      expect(await deliver()).toMatchObject(backingOff(120));
    },
  );

  it('is tried for the last time at the end of the window', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504) });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000 - 1);
    const result = await deliver({ ...queued(19), firstReceivedAt });
    expect(result).toMatchObject(backingOff(1));
  });

  it('is fatal at the end of the window', async () => {
    const { deliver, integrations, pendingEvents } = aDeliverer({ endpoint: answering(504) });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000);
    const result = await deliver({ ...queued(20), firstReceivedAt });
    expect(result).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed', statusCode: 504 } }]);
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 20 }]);
  });

  it('does not make the integration busy as the nineteenth in a row', async () => {
    const { deliver, integrations } = aDeliverer({
      stored: withRow({ transients: 18 }),
      endpoint: answering(504),
    });
    expect(await deliver()).not.toHaveProperty('became');
    expect(integrations.all).toMatchObject([{ transients: 19, trouble: undefined }]);
  });

  it('makes the integration busy as the twentieth in a row, and goes on as its probe', async () => {
    const { deliver, integrations, schedules, pendingEvents } = aDeliverer({
      stored: withRow({ transients: 19 }),
      endpoint: answering(504),
    });
    const result = await deliver();
    expect(result).toMatchObject({ ...backingOff(15), became: 'busy' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'busy', statusCode: 504 } }]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it.each([
    ['an attempt of a delivery that was attempted before', queued(2)],
    ['a delivery that goes on backing off', queued(1, { trigger: 'backoff' })],
  ])('does not count as %s: the same deliveries make no endpoint busy', async (_case, message) => {
    const { deliver, integrations } = aDeliverer({
      stored: withRow({ transients: 19 }),
      endpoint: answering(504),
    });
    expect(await deliver(message)).toMatchObject({ kind: 'backing-off' });
    expect(integrations.all).toMatchObject([{ transients: 19, trouble: undefined }]);
  });

  it('does not count when its attempt began before the row did: others may have succeeded since', async () => {
    const { deliver, integrations } = aDeliverer({
      stored: withRow({ transients: 19, since: secondsBeforeNoon(-1) }),
      endpoint: answering(504),
    });
    expect(await deliver()).toMatchObject({ kind: 'backing-off' });
    expect(integrations.all).toMatchObject([{ transients: 19, trouble: undefined }]);
  });

  it('does not count against settings that were changed since its attempt began', async () => {
    const stored = withRow({ transients: 19 });
    const changed = anIntegration({ epoch: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, stored);
      return answered(504);
    });
    const { deliver, integrations } = aDeliverer({ stored, endpoint });
    expect(await deliver()).toMatchObject({ kind: 'backing-off' });
    expect(integrations.all).toMatchObject([{ epoch: 5, transients: 0, trouble: undefined }]);
  });
});

describe('a transient result without a free backoff slot', () => {
  const FULL = { ...UNTROUBLED, slots: slotsTaken(50) };

  it('is pending until the hourly schedule of an integration without trouble replays it', async () => {
    const { deliver, integrations, schedules, pendingEvents, replays } = aDeliverer({
      stored: FULL,
      endpoint: answering(504),
    });
    expect(await deliver(queued(2))).toMatchObject({ kind: 'pending' });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([
      { priorAttempts: 2, backingOffSince: NOON.toISOString() },
    ]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(integrations.all).toMatchObject([{ awaitsReplay: true, trouble: undefined }]);
    expect(replays.requested).toEqual([]);
  });

  it('makes no further schedule in an epoch that has a schedule', async () => {
    const { deliver, schedules } = aDeliverer({
      stored: { ...FULL, awaitsReplay: true },
      endpoint: answering(504),
    });
    expect(await deliver()).toMatchObject({ kind: 'pending' });
    expect(schedules.all).toEqual([]);
  });

  it('has a schedule in the next epoch when the schedule fired before the event was stored', async () => {
    const { deliver, integrations, pendingEvents, schedules } = aDeliverer({
      stored: { ...FULL, awaitsReplay: true },
      endpoint: answering(504),
    });
    const put = pendingEvents.put.bind(pendingEvents);
    pendingEvents.put = async (...given) => {
      await integrations.closeEpoch(FULL, 4);
      await put(...given);
    };
    expect(await deliver()).toMatchObject({ kind: 'pending' });
    expect(schedules.all).toEqual([{ ...SCHEDULE, epoch: 4 }]);
    expect(integrations.all).toMatchObject([{ epoch: 4, awaitsReplay: true }]);
  });

  it('goes on where it was when it comes back: the delay and the window are the delivery’s', async () => {
    const { deliver } = aDeliverer({ endpoint: answering(504) });
    const resumed = queued(1, {
      trigger: 'backoff',
      priorAttempts: 4,
      backingOffSince: secondsBeforeNoon(7_200).toISOString(),
    });
    expect(await deliver(resumed)).toMatchObject(backingOff(240));
    const late = { backingOffSince: secondsBeforeNoon(WINDOW_MS / 1_000).toISOString() };
    expect(await deliver(queued(1, { ...resumed.delivery, ...late }))).toMatchObject({
      kind: 'pending',
      became: 'failed',
    });
  });

  it.each([
    ['the integration is busy', { ...BUSY, slots: slotsTaken(3) }],
    [
      'nothing was confirmed for a while',
      { ...withRow({ transients: 2, since: secondsBeforeNoon(8) }), slots: slotsTaken(3) },
    ],
  ])('is one beyond three when %s', async (_case, stored) => {
    const { deliver, pendingEvents } = aDeliverer({ stored, endpoint: answering(504) });
    expect(await deliver(queued(2))).toMatchObject({ kind: 'pending' });
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
  });
});

describe('a success', () => {
  it('that took long ends the busy state that began meanwhile', async () => {
    let nowMs = NOON.getTime();
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.begin(UNTROUBLED, trouble('busy'));
      nowMs += 5_000;
      return answered(200);
    });
    const { deliver, integrations, replays } = aDeliverer({ endpoint, now: () => new Date(nowMs) });
    expect(await deliver()).toMatchObject({ kind: 'delivered', endedTrouble: true });
    expect(integrations.all).toEqual([expect.not.objectContaining({ trouble: expect.anything() })]);
    expect(replays.requested).toHaveLength(1);
  });

  it('ends the busy state that began in the row that it ends', async () => {
    const stored = withRow({ transients: 19 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.begin(stored, trouble('busy'));
      return answered(200);
    });
    const { deliver, integrations } = aDeliverer({ stored, endpoint });
    expect(await deliver()).toMatchObject({ kind: 'delivered', endedTrouble: true });
    expect(integrations.all).toEqual([expect.not.objectContaining({ trouble: expect.anything() })]);
  });
});
