import { describe, expect, it } from 'vitest';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
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
  UNTROUBLED,
  WINDOW_MS,
} from '../../../support/delivery/sending/troubled-deliverer.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const withTransients = (transients: number, { since = secondsBeforeNoon(5) } = {}) => ({
  ...UNTROUBLED,
  streak: streak({ transients, since: since.toISOString() }),
});

const LONG_UNCHANGED = { ...UNTROUBLED, updatedAt: secondsBeforeNoon(172_800).toISOString() };

describe('a transient result', () => {
  it('backs off in a slot: nothing but the streak and the slot changes', async () => {
    const { deliver, integrations, slots, schedules, pendingEvents } = aDeliverer({
      endpoint: answering(504),
    });
    expect(await deliver()).toMatchObject(backingOff(15));
    expect(integrations.all).toEqual([
      { ...UNTROUBLED, streak: { since: NOON.toISOString(), transients: 1, refusals: 0 } },
    ]);
    expect(slots.of(INTEGRATION)).toEqual({ backoff25: secondsBeforeNoon(-15).getTime() });
    expect([...schedules.all, ...pendingEvents.of(INTEGRATION)]).toEqual([]);
  });

  it('backs off longer each time the message is received', async () => {
    const { deliverAgain } = aDeliverer({ endpoint: answering(504) });
    const result = await deliverAgain(queued(4, { priorAttempts: 9 }));
    expect(result).toMatchObject(backingOff(120));
  });

  it.each([
    ['the log shows none', {}, 15],
    ['the log cannot be read', { read: () => Promise.reject(new Error('throttled')) }, 120],
  ])('counts receives without an attempt as attempts only if %s', async (_case, fault, delay) => {
    const { deliver, log } = aDeliverer({ endpoint: answering(504) });
    Object.assign(log, fault);
    expect(await deliver(queued(4))).toMatchObject(backingOff(delay));
  });

  it.each([
    [5, 15],
    [600, 600],
    [7_200, 3_600],
  ])('waits for as long as it has, if the log does not take it: %i seconds', async (age, delay) => {
    const { deliver, log } = aDeliverer({ endpoint: answering(504) });
    Object.assign(log, { write: () => Promise.reject(new Error('throttled')) });
    const message = { ...queued(4), firstReceivedAt: secondsBeforeNoon(age) };
    expect(await deliver(message)).toMatchObject(backingOff(delay));
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
    const { deliverAgain } = aDeliverer({ stored: LONG_UNCHANGED, endpoint: answering(504) });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000 - 1);
    const result = await deliverAgain({ ...queued(19), firstReceivedAt });
    expect(result).toMatchObject(backingOff(1));
  });

  it('is fatal at the end of the window', async () => {
    const { deliverAgain, integrations, pendingEvents } = aDeliverer({
      stored: LONG_UNCHANGED,
      endpoint: answering(504),
    });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000);
    const result = await deliverAgain({ ...queued(20), firstReceivedAt });
    expect(result).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed', statusCode: 504 } }]);
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([{ priorAttempts: 20 }]);
  });

  it('has a new window after a change of the settings', async () => {
    const changed = { ...UNTROUBLED, updatedAt: secondsBeforeNoon(60).toISOString() };
    const { deliverAgain } = aDeliverer({ stored: changed, endpoint: answering(504) });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000);
    expect(await deliverAgain({ ...queued(20), firstReceivedAt })).toMatchObject(backingOff(3_600));
  });

  it('begins its window with the first attempt after an outage of ours', async () => {
    const deliverer = aDeliverer({ endpoint: answering(504) });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000);
    const late = { ...queued(200), firstReceivedAt };
    expect(await deliverer.deliver(late)).toMatchObject(backingOff(15));
    await logBackingOff(deliverer, queued(2));
    expect(await deliverer.deliver(late)).toMatchObject(backingOff(30));
  });

  it('does not make the integration busy as the nineteenth in a row', async () => {
    const { deliver, integrations } = aDeliverer({
      stored: withTransients(18),
      endpoint: answering(504),
    });
    expect(await deliver()).not.toHaveProperty('became');
    expect(integrations.all).toMatchObject([{ streak: { transients: 19 }, trouble: undefined }]);
  });

  it('makes the integration busy as the twentieth in a row, as its probe', async () => {
    const { deliver, integrations, schedules, pendingEvents } = aDeliverer({
      stored: withTransients(19),
      endpoint: answering(504),
    });
    const result = await deliver();
    expect(result).toMatchObject({ ...backingOff(15), became: 'busy' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'busy', statusCode: 504 } }]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('makes the integration busy once the streak is two seconds old', async () => {
    const young = aDeliverer({
      stored: withTransients(400, { since: secondsBeforeNoon(1.999) }),
      endpoint: answering(504),
    });
    expect(await young.deliver()).not.toHaveProperty('became');
    expect(young.schedules.all).toEqual([]);
    const older = aDeliverer({
      stored: withTransients(400, { since: secondsBeforeNoon(2) }),
      endpoint: answering(504),
    });
    expect(await older.deliver(queued(2))).toMatchObject({ became: 'busy' });
  });

  it('does not make the integration busy when a success ended the streak', async () => {
    const { deliver, integrations } = aDeliverer({
      stored: withTransients(19),
      endpoint: answering(504),
    });
    const extendStreak = integrations.extendStreak.bind(integrations);
    integrations.extendStreak = async (...outcome) => {
      const extended = await extendStreak(...outcome);
      await integrations.confirm(UNTROUBLED, NOON);
      return extended;
    };
    expect(await deliver()).not.toHaveProperty('became');
    expect(integrations.all).toEqual([{ ...UNTROUBLED, confirmedAt: NOON.toISOString() }]);
  });

  it.each([
    ['that was attempted before', 'deliverAgain', queued(2)],
    ['that goes on backing off', 'deliver', queued(1, { trigger: 'replay', backoff: backoff() })],
    [
      'a resend that goes on backing off',
      'deliver',
      queued(1, { trigger: 'manual', backoff: backoff() }),
    ],
    ['whose earlier attempts the log may lack', 'deliver', queued(2)],
  ] as const)('does not count for a delivery %s', async (_case, deliver, message) => {
    const stored = withTransients(19);
    const deliverer = aDeliverer({ stored, endpoint: answering(504) });
    expect(await deliverer[deliver](message)).toMatchObject({ kind: 'backing-off' });
    expect(deliverer.integrations.all).toEqual([stored]);
  });

  it.each([
    ['the streak', withTransients(19, { since: secondsBeforeNoon(-1) })],
    ['a known success', { ...UNTROUBLED, confirmedAt: secondsBeforeNoon(-1).toISOString() }],
  ])('does not count when its attempt began before %s', async (_case, stored) => {
    const { deliver, integrations } = aDeliverer({ stored, endpoint: answering(504) });
    expect(await deliver()).toMatchObject({ kind: 'backing-off' });
    expect(integrations.all).toEqual([stored]);
  });

  it('does not count against settings changed since its attempt began', async () => {
    const stored = withTransients(19);
    const changed = anIntegration({ epoch: 5, revision: 2 });
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace(changed, stored);
      return answered(504);
    });
    const { deliver, integrations } = aDeliverer({ stored, endpoint });
    expect(await deliver()).toMatchObject({ kind: 'backing-off' });
    expect(integrations.all).toEqual([changed]);
  });
});

describe('a transient result without a free backoff slot', () => {
  const aFullDeliverer = async (stored = UNTROUBLED, { taken = 50 } = {}) => {
    const deliverer = aDeliverer({ stored, endpoint: answering(504) });
    await takeSlots(deliverer.slots, taken);
    return deliverer;
  };

  it('waits for the hourly schedule, stored with the instant it is due', async () => {
    const { deliverAgain, integrations, schedules, pendingEvents, replays } =
      await aFullDeliverer();
    expect(await deliverAgain(queued(2))).toMatchObject({ kind: 'pending' });
    expect(await pendingEvents.oldest(INTEGRATION, 9)).toMatchObject([
      {
        delivery: { priorAttempts: 2, backoff: backoff({ attempts: 2 }) },
        dueAt: secondsBeforeNoon(-30).toISOString(),
      },
    ]);
    expect(schedules.all).toEqual([SCHEDULE]);
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'waiting', statusCode: 504 } }]);
    expect(replays.requested).toEqual([]);
  });

  it('backs off in a slot that becomes free at this instant', async () => {
    const { deliver, slots } = await aFullDeliverer(UNTROUBLED, { taken: 49 });
    const until = NOON.getTime();
    await slots.takeSlot(UNTROUBLED, { slot: 'backoff49', now: 0, until });
    expect(await deliver()).toMatchObject({ kind: 'backing-off' });
  });

  it('is attempted at once when settings changed before it was stored', async () => {
    const changed = anIntegration({ epoch: 5, revision: 2 });
    const { deliver, integrations, pendingEvents, slots } = await aFullDeliverer();
    const takeSlot = slots.takeSlot.bind(slots);
    slots.takeSlot = async (...given) => {
      await integrations.replace(changed, UNTROUBLED);
      return takeSlot(...given);
    };
    expect(await deliver()).toMatchObject({ kind: 'outdated' });
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('keeps its delay and its window when it is replayed', async () => {
    const { deliver } = aDeliverer({ stored: LONG_UNCHANGED, endpoint: answering(504) });
    const resumed = queued(1, {
      trigger: 'replay',
      priorAttempts: 6,
      backoff: backoff({ attempts: 4, since: secondsBeforeNoon(7_200).toISOString() }),
    });
    expect(await deliver(resumed)).toMatchObject(backingOff(240));
    const since = secondsBeforeNoon(WINDOW_MS / 1_000).toISOString();
    const late = { backoff: backoff({ since }) };
    expect(await deliver(queued(1, { ...resumed.delivery, ...late }))).toMatchObject({
      kind: 'pending',
      became: 'failed',
    });
  });

  it.each([
    ['may be one of fifty while the endpoint confirms others', 7.499, 'backing-off'],
    ['is one beyond three when nothing was confirmed for a while', 7.5, 'pending'],
  ])('%s', async (_case, seconds, kind) => {
    const stored = withTransients(2, { since: secondsBeforeNoon(seconds) });
    const { deliver } = await aFullDeliverer(stored, { taken: 3 });
    expect(await deliver(queued(2))).toMatchObject({ kind });
  });
});
