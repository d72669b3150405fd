import { expect, it } from 'vitest';
import type { Attempt, PostResult } from '../../core/delivery/attempt.ts';
import { describeDeliveryLogs, idsOf, pastNoon } from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { largestBody } from '../support/event/body-sizes.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const EVENT = anEventReference('evt_1');
const DELIVERY = aDelivery({ event: EVENT });
const { account, integration: INTEGRATION } = DELIVERY;
const LISTED = { account, integration: INTEGRATION, event: EVENT };

const attempt = (number: number, result: PostResult, wishes: Partial<Attempt> = {}) =>
  anAttempt({ event: EVENT, number, startedAt: pastNoon(number), ...wishes }, result);

describeDeliveryLogs((create) => {
  it('finds a delivery by its event, of one integration', async () => {
    const { reader, open } = await create();
    await open(DELIVERY, aDelivery({ event: anEventReference('evt_11') }));
    await open(aDelivery({ event: EVENT, integration: 'another00000' }));
    expect(await reader.find(INTEGRATION, 'evt_1')).toEqual(LISTED);
    expect(await reader.find(INTEGRATION, 'evt_')).toBeUndefined();
    expect(await reader.find('unknown00000', 'evt_1')).toBeUndefined();
  });

  it('finds one that was never opened by its attempts, and has no body of it', async () => {
    const { reader, record } = await create();
    await record(attempt(1, answered(200, 'OK')));
    expect(await reader.find(INTEGRATION, 'evt_1')).toEqual({
      ...LISTED,
      deliveredAt: expect.any(String),
      latestAttempt: attempt(1, answered(200)),
    });
    expect(await reader.bodyOf(LISTED)).toBeUndefined();
  });

  it('has the body byte for byte', async () => {
    const { reader, open } = await create();
    const body = '{"data":{"text":"Grüße 👋 \\n <&>\\u0000"}}';
    await open({ ...DELIVERY, body });
    expect(await reader.bodyOf(LISTED)).toBe(body);
  });

  it('has a body of the largest size, and lists its delivery once', async () => {
    const { reader, open } = await create();
    const body = largestBody();
    await open({ ...DELIVERY, body });
    expect((await reader.bodyOf(LISTED)) === body).toBe(true);
    const page = await reader.newest(INTEGRATION, { filter: {}, limit: 100 });
    expect(idsOf(page)).toEqual(['evt_1']);
  });

  it('has every attempt as it was, oldest first', async () => {
    const { reader, open, record } = await create();
    const refused = { kind: 'unanswered', reason: 'connection-refused' } as const;
    const attempts = [
      attempt(1, { ...refused, code: 'ECONNREFUSED' }, { nextAttemptAt: pastNoon(2) }),
      attempt(2, { kind: 'unanswered', reason: 'address-refused' }, { trigger: 'backoff' }),
      attempt(3, answered(500, 'Grüße 👋'), { trigger: 'hourly' }),
      attempt(4, answered(204), { trigger: 'manual' }),
    ];
    await open(DELIVERY);
    await record(...attempts.toReversed());
    await record(attempt(1, answered(200), { event: anEventReference('evt_11') }));
    await record(attempt(1, answered(200), { integration: 'another00000' }));
    expect(await reader.attemptsOf(LISTED)).toEqual(attempts);
    const another = { ...LISTED, event: anEventReference('evt_') };
    expect(await reader.attemptsOf(another)).toEqual([]);
  });

  it('has the latest thousand of more attempts, with the KiB each was answered', async () => {
    const { reader, record } = await create();
    const responseStart = '👋'.repeat(256);
    const attempts = Array.from({ length: 1_003 }, (_, index) =>
      attempt(index + 1, answered(500, responseStart)),
    );
    await record(...attempts);
    const latest = await reader.attemptsOf(LISTED);
    expect(latest.map(({ number }) => number)).toEqual(
      attempts.slice(3).map(({ number }) => number),
    );
    expect(latest).toEqual(attempts.slice(3));
  });
});
