import { describe, expect, it } from 'vitest';
import {
  aRetry,
  eventOf,
  FAILED as RETRIED,
  SCHEDULE as RETRY,
} from '../../../support/delivery/attempt/hourly-retry.ts';
import {
  aDeliverer,
  answering,
  INTEGRATION,
  NOON,
  queued,
  secondsBeforeNoon,
  UNTROUBLED,
  WINDOW_MS,
} from '../../../support/delivery/attempt/troubled-deliverer.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';

const ago = (seconds: number): string => secondsBeforeNoon(seconds).toISOString();

/** Another event was confirmed ten minutes before noon. */
const CONFIRMED = { ...UNTROUBLED, confirmedAt: ago(600) };

describe('an event that is at fault itself', () => {
  it('is set aside when it is refused again after another was confirmed', async () => {
    const { deliver, integrations, setAsideEvents, pendingEvents, schedules } = aDeliverer({
      stored: CONFIRMED,
      endpoint: answering(400),
    });
    const message = queued(1, { trigger: 'replay', priorAttempts: 2, refusedAt: ago(3_600) });
    expect(await deliver(message)).toMatchObject({ kind: 'set-aside' });
    expect(setAsideEvents.of(INTEGRATION)).toMatchObject([
      { event: message.delivery.event, priorAttempts: 3, refusedAt: NOON.toISOString() },
    ]);
    expect(integrations.all).toEqual([{ ...CONFIRMED, setAside: 1 }]);
    expect([...pendingEvents.of(INTEGRATION), ...schedules.all]).toEqual([]);
  });

  it('is set aside when it gave no answer for its whole window while another was confirmed', async () => {
    const { deliver, integrations, setAsideEvents } = aDeliverer({
      stored: CONFIRMED,
      endpoint: answering(504),
    });
    const firstReceivedAt = secondsBeforeNoon(WINDOW_MS / 1_000);
    expect(await deliver({ ...queued(20), firstReceivedAt })).toMatchObject({ kind: 'set-aside' });
    expect(setAsideEvents.of(INTEGRATION)).toHaveLength(1);
    expect(integrations.all).toEqual([{ ...CONFIRMED, setAside: 1 }]);
  });

  it('remembers when its refusal ended, and a success by when the confirmed attempt began', async () => {
    const takingAMinute = (statusCode: number) => {
      let now = secondsBeforeNoon(60);
      const endpoint = new ScriptedWebhookEndpoint(() => {
        now = NOON;
        return answered(statusCode);
      });
      return aDeliverer({ stored: { ...UNTROUBLED, transients: 1 }, endpoint, now: () => now });
    };
    const refused = takingAMinute(400);
    await refused.deliver();
    expect(refused.pendingEvents.of(INTEGRATION)).toMatchObject([{ refusedAt: ago(0) }]);
    const confirmed = takingAMinute(200);
    await confirmed.deliver();
    expect(confirmed.integrations.all).toMatchObject([{ confirmedAt: ago(60) }]);
  });

  it('is counted once, however often it is set aside', async () => {
    const { deliver, integrations } = aDeliverer({ stored: CONFIRMED, endpoint: answering(400) });
    const message = queued(1, { trigger: 'manual', refusedAt: ago(3_600) });
    await deliver(message);
    await deliver(message);
    expect(integrations.all).toMatchObject([{ setAside: 1 }]);
  });

  it('is not kept of an integration that was deleted meanwhile', async () => {
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.remove(CONFIRMED);
      return answered(400);
    });
    const { deliver, integrations, setAsideEvents } = aDeliverer({ stored: CONFIRMED, endpoint });
    await deliver(queued(1, { trigger: 'replay', refusedAt: ago(3_600) }));
    expect(setAsideEvents.of(INTEGRATION)).toEqual([]);
  });

  it.each([
    ['resent', queued(1, { trigger: 'manual' })],
    ['recovered', queued(1, { trigger: 'replay', refusedAt: ago(3_600) })],
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

  it('is set aside by the hourly retry of a busy or failed integration, which stays so', async () => {
    const refused = { ...eventOf(1), refusedAt: '2026-11-20T12:10:00.000Z' };
    const { retry, integrations, pendingIds, setAsideEvents } = await aRetry({
      stored: { ...RETRIED, confirmedAt: '2026-11-20T12:20:00.000Z' },
      endpoint: answering(400),
      pending: [refused],
    });
    expect(await retry(RETRY)).toMatchObject({ kind: 'retried', wasSetAside: true });
    expect(pendingIds()).toEqual([]);
    expect(setAsideEvents.of(INTEGRATION)).toHaveLength(1);
    expect(integrations.all).toMatchObject([{ setAside: 1, trouble: { kind: 'failed' } }]);
  });
});

const refusedAgo = (seconds: number) => queued(1, { trigger: 'replay', refusedAt: ago(seconds) });

describe('an event that may be blameless', () => {
  it.each([
    ['is refused the first time', queued(1), answering(400)],
    ['is refused again, and none was confirmed since', refusedAgo(300), answering(400)],
    [
      'cannot be sent to an address that is refused',
      refusedAgo(3_600),
      new ScriptedWebhookEndpoint(() => ({ kind: 'unanswered', reason: 'address-refused' })),
    ],
  ])('fails its integration when it %s', async (_case, message, endpoint) => {
    const { deliver, integrations, setAsideEvents } = aDeliverer({ stored: CONFIRMED, endpoint });
    expect(await deliver(message)).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(integrations.all).toMatchObject([{ trouble: { kind: 'failed' } }]);
    expect(setAsideEvents.of(INTEGRATION)).toEqual([]);
  });
});

describe('the retries of a failed integration', () => {
  it('take turns: of the oldest ten the event with the fewest attempts', async () => {
    const pending = [3, 2, 1, 4].map((minute) => ({
      ...eventOf(minute),
      priorAttempts: minute === 3 ? 0 : 2,
    }));
    const endpoint = answering(400);
    const { retry } = await aRetry({ endpoint, pending });
    await retry(RETRY);
    expect(endpoint.requests[0]?.headers['webhook-id']).toContain('evt_3');
  });
});
