import { describe, expect, it } from 'vitest';
import type { Integration } from '../../../../core/integration/integration.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  backoff,
  INTEGRATION,
  NOON,
  queued,
  secondsBeforeNoon,
  UNTROUBLED,
} from '../../../support/delivery/sending/troubled-deliverer.ts';

const ago = (seconds: number): string => secondsBeforeNoon(seconds).toISOString();

/** Another event was confirmed ten minutes before noon. */
const CONFIRMED = { ...UNTROUBLED, updatedAt: ago(7_200), confirmedAt: ago(600) };

describe('an event of which an answer does not yet tell', () => {
  const HOUR = 3_600;
  /** A window that began so long ago, with an attempt at its beginning. */
  const inWindow = (seconds: number) =>
    queued(1, {
      trigger: 'replay',
      priorAttempts: 1,
      backoff: backoff({ since: ago(seconds) }),
    });

  const deliverWith = async (
    message: ReturnType<typeof queued>,
    { statusCode, ...stored }: Partial<Integration> & { statusCode: number },
  ) => {
    const deliverer = aDeliverer({
      stored: { ...CONFIRMED, updatedAt: ago(48 * HOUR), ...stored },
      endpoint: answering(statusCode),
    });
    const { event, backoff: window } = message.delivery;
    const startedAt = new Date(window?.since ?? NOON);
    if (window) await deliverer.log.record(anAttempt({ event, startedAt }, answered(503)));
    const result = await deliverer.deliver(message);
    expect(deliverer.integrations.all[0]?.trouble?.kind).not.toBe('failed');
    const [kept] = await deliverer.pendingEvents.oldest(INTEGRATION, 9);
    return { result, kept, setAside: deliverer.setAsideEvents.of(INTEGRATION) };
  };

  it.each([
    [0, 1 / 12],
    [1 / 60, 1 / 12],
    [1, 2],
    [4, 8],
    [5, 7],
    [11.5, 0.5],
  ])('waits twice as long as it has been failing: %f hours old, for %f', async (age, waits) => {
    for (const statusCode of [422, 503]) {
      const message = age === 0 ? queued(1, { trigger: 'replay' }) : inWindow(age * HOUR);
      const { kept, setAside } = await deliverWith(message, { statusCode });
      expect([kept?.dueAt, setAside]).toEqual([secondsBeforeNoon(-waits * HOUR).toISOString(), []]);
    }
  });

  it('is set aside at the end of its window', async () => {
    const { result } = await deliverWith(inWindow(12 * HOUR), { statusCode: 503 });
    expect(result).toMatchObject({ kind: 'set-aside' });
  });

  it('has a new window after a change of the settings', async () => {
    const changed = { updatedAt: ago(1_000), confirmedAt: ago(600) };
    const { kept, setAside } = await deliverWith(inWindow(13 * HOUR), {
      statusCode: 503,
      ...changed,
    });
    expect([kept?.delivery.backoff?.since, setAside]).toEqual([ago(1_000), []]);
  });
});

describe('a late copy of an event that was refused', () => {
  it('is kept, and leaves the integration as it is', async () => {
    const { deliver, integrations, log, pendingEvents } = aDeliverer({
      stored: CONFIRMED,
      endpoint: answering(400),
    });
    const message = queued();
    const { event } = message.delivery;
    await log.record(anAttempt({ event, startedAt: secondsBeforeNoon(60) }, answered(400)));
    expect(await deliver(message)).not.toHaveProperty('became');
    expect(integrations.all[0]?.trouble?.kind).not.toBe('failed');
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
  });
});
