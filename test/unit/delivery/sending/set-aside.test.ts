import { describe, expect, it } from 'vitest';
import type { Integration } from '../../../../core/integration/integration.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aRetry,
  eventOf,
  FAILED as RETRIED,
  SCHEDULE as RETRY,
} from '../../../support/delivery/sending/hourly-retry.ts';
import {
  aDeliverer,
  answering,
  backoff,
  INTEGRATION,
  NOON,
  queued,
  secondsBeforeNoon,
  UNTROUBLED,
  WINDOW_MS,
} from '../../../support/delivery/sending/troubled-deliverer.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';

const ago = (seconds: number): string => secondsBeforeNoon(seconds).toISOString();

/** A delivery whose window of twelve hours is over, and its first attempt in the log. */
const overdue = (receiveCount = 1) =>
  queued(receiveCount, {
    trigger: 'replay',
    priorAttempts: 4,
    backoff: backoff({ since: ago(43_200), attempts: 4 }),
  });
const FIRST_ATTEMPT = anAttempt({ startedAt: secondsBeforeNoon(43_200) }, answered(400));

const STREAK = { since: ago(90), transients: 1, refusals: 0 };

/** Another event was confirmed ten minutes before noon. */
const CONFIRMED = { ...UNTROUBLED, updatedAt: ago(172_800), confirmedAt: ago(600) };

describe('an event that is at fault itself', () => {
  it.each([400, 422, 429, 500, 503])(
    'is set aside when it is refused for a window in which others were confirmed: %i',
    async (status) => {
      const { deliver, integrations, setAsideEvents, pendingEvents, schedules, log } = aDeliverer({
        stored: CONFIRMED,
        endpoint: answering(status),
      });
      await log.record(FIRST_ATTEMPT);
      const message = overdue();
      expect(await deliver(message)).toMatchObject({ kind: 'set-aside' });
      expect(setAsideEvents.of(INTEGRATION)).toMatchObject([
        { event: message.delivery.event, priorAttempts: 5, backoff: undefined },
      ]);
      expect(integrations.all).toEqual([{ ...CONFIRMED, setAside: 1 }]);
      expect([...pendingEvents.of(INTEGRATION), ...schedules.all]).toEqual([]);
    },
  );

  it.each(['pause', 'continue'] as const)(
    'is set aside after a window without an answer if the log shows a success (%s)',
    async (onFatalError) => {
      const settings = { ...UNTROUBLED.settings, onFatalError };
      const stored = { ...UNTROUBLED, settings, updatedAt: ago(172_800) };
      const { deliverAgain, integrations, setAsideEvents, log } = aDeliverer({
        stored,
        endpoint: answering(504),
      });
      const event = { ...aDelivery().event, id: 'evt_other' };
      await log.record(anAttempt({ event, startedAt: secondsBeforeNoon(600) }));
      const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000);
      expect(await deliverAgain({ ...queued(20), firstReceivedAt })).toMatchObject({
        kind: 'set-aside',
      });
      expect(setAsideEvents.of(INTEGRATION)).toHaveLength(1);
      expect(integrations.all).toEqual([{ ...stored, setAside: 1 }]);
    },
  );

  it.each(['error', 'transient'] as const)(
    'is not set aside after one attempt, though it was received for a window: %s',
    async (kind) => {
      const stored = { ...UNTROUBLED, updatedAt: ago(2 * 86_400), confirmedAt: ago(600) };
      const endpoint = answering(kind === 'error' ? 503 : 504);
      const { deliver, setAsideEvents, log } = aDeliverer({ stored, endpoint });
      const read = log.read.bind(log);
      let reads = 0;
      log.read = async (deliveries) => {
        reads += 1;
        if (reads === 1) throw new Error('throttled');
        return read(deliveries);
      };
      const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000);
      await deliver({ ...queued(20), firstReceivedAt });
      expect(log.attempts).toHaveLength(1);
      expect(setAsideEvents.of(INTEGRATION)).toEqual([]);
    },
  );

  it('begins its window when its refusal ended, and notes when a confirmed attempt began', async () => {
    const takingAMinute = (statusCode: number) => {
      let now = secondsBeforeNoon(60);
      const endpoint = new ScriptedWebhookEndpoint(() => {
        now = NOON;
        return answered(statusCode);
      });
      const settings = { ...UNTROUBLED.settings, onFatalError: 'continue' as const };
      const stored = { ...UNTROUBLED, settings, streak: STREAK };
      return aDeliverer({ stored, endpoint, now: () => now });
    };
    const refused = takingAMinute(400);
    await refused.deliver();
    expect(refused.pendingEvents.of(INTEGRATION)).toMatchObject([
      { backoff: { since: ago(0), hasSlot: false } },
    ]);
    const confirmed = takingAMinute(200);
    await confirmed.deliver();
    expect(confirmed.integrations.all).toMatchObject([{ confirmedAt: ago(60) }]);
  });

  it('is counted once, however often it is set aside', async () => {
    const { deliver, integrations, log } = aDeliverer({
      stored: CONFIRMED,
      endpoint: answering(400),
    });
    await log.record(FIRST_ATTEMPT);
    const message = overdue();
    expect(await deliver(message)).toMatchObject({ kind: 'set-aside' });
    expect(await deliver(message)).toMatchObject({ kind: 'refused-again' });
    expect(integrations.all).toMatchObject([{ setAside: 1 }]);
  });

  it.each([
    ['resent', 'manual'],
    ['recovered', 'replay'],
  ] as const)(
    'stays as it is when it is %s and refused again, and so does its integration',
    async (_case, trigger) => {
      const stored = { ...UNTROUBLED, setAside: 1 };
      const deliverer = aDeliverer({ stored, endpoint: answering(400) });
      const { deliver, integrations, setAsideEvents, pendingEvents, log } = deliverer;
      const resend = queued(1, { trigger });
      await setAsideEvents.add(resend.delivery);
      expect(await deliver(resend)).toMatchObject({ kind: 'refused-again' });
      expect(integrations.all).toEqual([stored]);
      expect(setAsideEvents.of(INTEGRATION)).toEqual([resend.delivery]);
      expect(pendingEvents.of(INTEGRATION)).toEqual([]);
      expect(log.attempts).toMatchObject([{ trigger }]);
    },
  );

  it('is no longer pending, as which an earlier receive may have stored it', async () => {
    const { deliver, pendingEvents, log } = aDeliverer({
      stored: CONFIRMED,
      endpoint: answering(400),
    });
    await log.record(FIRST_ATTEMPT);
    const message = overdue(2);
    await pendingEvents.put(message.delivery, message);
    expect(await deliver(message)).toMatchObject({ kind: 'set-aside' });
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('is not kept of an integration that was deleted meanwhile', async () => {
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.remove(CONFIRMED);
      return answered(400);
    });
    const { deliver, integrations, setAsideEvents, log } = aDeliverer({
      stored: CONFIRMED,
      endpoint,
    });
    await log.record(FIRST_ATTEMPT);
    await deliver(overdue());
    expect(setAsideEvents.of(INTEGRATION)).toEqual([]);
  });

  it.each([
    ['resent', queued(1, { trigger: 'manual' })],
    ['recovered', queued(1, { trigger: 'replay' })],
  ])('is no longer set aside when it is %s and confirmed', async (_case, message) => {
    const { deliver, integrations, setAsideEvents } = aDeliverer({
      stored: { ...CONFIRMED, setAside: 1 },
      endpoint: answering(200),
    });
    await setAsideEvents.add(message.delivery);
    expect(await deliver(message)).toMatchObject({ kind: 'delivered' });
    expect(setAsideEvents.of(INTEGRATION)).toEqual([]);
    expect(integrations.all).toMatchObject([{ setAside: 0 }]);
  });
});

describe('a delivery that was confirmed before', () => {
  it.each([
    ['a repeated event', 'pause', queued(1)],
    ['a repeated event', 'continue', queued(1)],
    ['a resend', 'pause', queued(1, { trigger: 'manual', priorAttempts: 1 })],
  ] as const)('stays delivered when %s is refused (%s)', async (_case, onFatalError, message) => {
    const settings = { ...UNTROUBLED.settings, onFatalError };
    const stored = { ...UNTROUBLED, settings };
    const deliverer = aDeliverer({ stored, endpoint: answering(409) });
    const { deliver, integrations, pendingEvents, setAsideEvents, schedules, log } = deliverer;
    const { event } = message.delivery;
    await log.record(anAttempt({ event, startedAt: secondsBeforeNoon(60) }));
    expect(await deliver(message)).toMatchObject({ kind: 'refused-again' });
    expect(log.deliveries).toMatchObject([
      { deliveredAt: expect.any(String), latestAttempt: { outcome: { class: 'fatal' } } },
    ]);
    expect(integrations.all).toEqual([stored]);
    const kept = [...pendingEvents.of(INTEGRATION), ...setAsideEvents.of(INTEGRATION)];
    expect([...kept, ...schedules.all]).toEqual([]);
  });

  it('fails its integration, and is replayed by no one, when its resend cannot be sent', async () => {
    const endpoint = new ScriptedWebhookEndpoint(() => ({
      kind: 'unanswered',
      reason: 'address-refused',
    }));
    const { deliver, integrations, log, replays } = aDeliverer({ stored: UNTROUBLED, endpoint });
    const message = queued(1, { trigger: 'manual', priorAttempts: 1 });
    const { event } = message.delivery;
    await log.record(anAttempt({ event, startedAt: secondsBeforeNoon(60) }));
    expect(await deliver(message)).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed' } }]);
    expect(replays.requested).toEqual([]);
  });

  it.each([
    ['is refused when it is resent', queued(1, { trigger: 'manual' }), 409],
    ['is received again', queued(2, { trigger: 'replay' }), 200],
  ])('is no longer set aside when it %s', async (_case, message, status) => {
    const stored = { ...UNTROUBLED, setAside: 1 };
    const { deliver, integrations, setAsideEvents, log } = aDeliverer({
      stored,
      endpoint: answering(status),
    });
    await setAsideEvents.add(message.delivery);
    const { event } = message.delivery;
    await log.record(anAttempt({ event, startedAt: secondsBeforeNoon(60) }));
    await deliver(message);
    expect(setAsideEvents.of(INTEGRATION)).toEqual([]);
    expect(integrations.all).toMatchObject([{ setAside: 0 }]);
  });

  it('is no longer pending when the hourly retry of its resend is refused', async () => {
    const resend = { ...eventOf(1), trigger: 'manual' as const };
    const { retry, log, pendingIds, setAsideEvents } = await aRetry({
      endpoint: answering(409),
      pending: [resend],
    });
    await log.record(anAttempt({ event: resend.event }));
    await retry(RETRY);
    expect([...pendingIds(), ...setAsideEvents.of(INTEGRATION)]).toEqual([]);
  });
});

describe('a resend that waits', () => {
  it('stays set aside when an hourly retry has it refused', async () => {
    const resend = { ...eventOf(1), trigger: 'manual' as const };
    const stored = { ...troubled('busy'), setAside: 1 };
    const { retry, integrations, setAsideEvents, pendingIds } = await aRetry({
      stored,
      endpoint: answering(400),
      pending: [resend],
    });
    await setAsideEvents.add(resend);
    await retry(RETRY);
    expect(pendingIds()).toEqual([]);
    expect(setAsideEvents.of(INTEGRATION)).toEqual([resend]);
    expect(integrations.all).toMatchObject([{ setAside: 1, trouble: { kind: 'busy' } }]);
  });

  it('is no longer set aside when an hourly retry has it confirmed', async () => {
    const resend = { ...eventOf(1), trigger: 'manual' as const };
    const { retry, integrations, setAsideEvents } = await aRetry({
      stored: { ...RETRIED, setAside: 1 },
      endpoint: answering(200),
      pending: [resend],
    });
    await setAsideEvents.add(resend);
    await retry(RETRY);
    expect(setAsideEvents.of(INTEGRATION)).toEqual([]);
    expect(integrations.all).toMatchObject([{ setAside: 0 }]);
  });
});

describe('an event that may be blameless', () => {
  it.each([
    ['is refused the first time', queued(1), answering(400)],
    [
      'is refused in a replay, and none was confirmed in the window',
      queued(1, { trigger: 'replay' }),
      answering(400),
      { confirmedAt: ago(13 * 3_600) },
    ],
    [
      'is refused in a replay, and none was confirmed since the settings changed',
      queued(1, { trigger: 'replay' }),
      answering(400),
      { updatedAt: ago(60) },
    ],
    [
      'cannot be sent to an address that is refused',
      overdue(),
      new ScriptedWebhookEndpoint(() => ({ kind: 'unanswered', reason: 'address-refused' })),
    ],
  ])(
    'fails its integration when it %s',
    async (_case, message, endpoint, changed: Partial<Integration> = {}) => {
      const stored = { ...CONFIRMED, ...changed };
      const { deliver, integrations, setAsideEvents } = aDeliverer({ stored, endpoint });
      expect(await deliver(message)).toMatchObject({ kind: 'pending', became: 'failed' });
      expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed' } }]);
      expect(setAsideEvents.of(INTEGRATION)).toEqual([]);
    },
  );

  it('waits for another window if no other was confirmed in its own', async () => {
    const stored = { ...CONFIRMED, confirmedAt: ago(13 * 3_600) };
    const { deliver, pendingEvents, setAsideEvents, log } = aDeliverer({
      stored,
      endpoint: answering(400),
    });
    await log.record(FIRST_ATTEMPT);
    expect(await deliver(overdue())).toMatchObject({ kind: 'pending' });
    expect(pendingEvents.of(INTEGRATION)).toMatchObject([
      { backoff: { since: ago(0), attempts: 1 } },
    ]);
    expect(setAsideEvents.of(INTEGRATION)).toEqual([]);
  });
});
