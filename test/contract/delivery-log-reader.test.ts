import { describe, expect, it } from 'vitest';
import { type Attempt, classify, endOf, type PostResult } from '../../core/delivery/attempt.ts';
import type { DeliveryFilter } from '../../core/delivery/delivery-log-reader.ts';
import type { EVENT_TYPES } from '../../core/event/event-types.ts';
import {
  describeDeliveryLogs,
  idsOf,
  pastNoon,
  type WrittenDeliveryLog,
} from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';
import { refusalOf } from '../support/refusals.ts';

const INTEGRATION = aDelivery().integration;
const TIMED_OUT: PostResult = { kind: 'unanswered', reason: 'response-timeout' };

/** The event with the id `<minute>`, which occurred `minute` minutes past noon. */
const eventAt = (minute: number, type: (typeof EVENT_TYPES)[number] = 'message.received') => ({
  id: `${minute}`,
  type,
  occurredAt: pastNoon(minute).toISOString(),
});

const attemptOf = (minute: number, result: PostResult, overrides: Partial<Attempt> = {}) =>
  anAttempt({ event: eventAt(minute), startedAt: pastNoon(minute), ...overrides }, result);

const newest = async ({ reader }: WrittenDeliveryLog, filter: DeliveryFilter = {}) =>
  idsOf(await reader.newest(INTEGRATION, { filter, limit: 100 }));

const NEWER = pastNoon(1).toISOString();

describeDeliveryLogs((create) => {
  it('lists the newest events first, whatever their offset and order', async () => {
    const log = await create();
    for (const [id, occurredAt] of [
      ['third', '2026-11-20T12:00:00Z'],
      ['fifth', '2025-12-31T23:59:59Z'],
      ['second', '2026-11-20T11:00:00.001-01:00'],
      ['first', '2026-11-20T14:30:00+01:00'],
      ['fourth', '2026-11-20T12:59:59.999+01:00'],
    ] as const) {
      await log.open(aDelivery({ event: { id, type: 'contact.created', occurredAt } }));
    }
    expect(await newest(log)).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
  });

  it('lists a delivery before an attempt, then with its latest attempt', async () => {
    const log = await create();
    const delivery = aDelivery({ event: eventAt(0) });
    const { account, integration, event } = delivery;
    await log.open(delivery);
    const page = () => log.reader.newest(INTEGRATION, { filter: {}, limit: 100 });
    expect((await page()).deliveries).toEqual([{ account, integration, event }]);
    const attempts = [
      attemptOf(0, TIMED_OUT, { number: 1, nextAttemptAt: pastNoon(1) }),
      attemptOf(0, answered(500, 'PRIVATE response'), { number: 2, startedAt: pastNoon(1) }),
    ];
    await log.record(...attempts);
    expect((await page()).deliveries).toEqual([
      {
        account,
        integration,
        event,
        latestAttempt: { ...attempts[1], outcome: { class: 'fatal', result: answered(500) } },
      },
    ]);
  });

  it('has nothing of an integration that nothing was sent to', async () => {
    const log = await create();
    await log.open(aDelivery({ integration: 'another00000' }));
    await log.record(attemptOf(0, answered(200), { integration: 'another00000' }));
    expect(await log.reader.newest(INTEGRATION, { filter: {}, limit: 100 })).toEqual({
      deliveries: [],
    });
  });

  describe('with deliveries of every outcome', () => {
    const createWithAll = async () => {
      const log = await create();
      await log.open(...[0, 1, 2, 3, 4].map((minute) => aDelivery({ event: eventAt(minute) })));
      await log.record(
        attemptOf(1, answered(200)),
        attemptOf(2, answered(504)),
        attemptOf(3, answered(410)),
        attemptOf(4, answered(200), { number: 1 }),
        attemptOf(4, answered(500), { number: 2, trigger: 'manual', startedAt: pastNoon(9) }),
        attemptOf(5, answered(503), { event: eventAt(5, 'message.failed') }),
        attemptOf(6, answered(500), { trigger: 'test' }),
      );
      return log;
    };

    it.each([
      ['delivered', ['4', '1']],
      ['transient', ['2']],
      ['fatal', ['6', '5', '3']],
    ] as const)('finds those that are %s: what arrived stays delivered', async (outcome, ids) => {
      expect(await newest(await createWithAll(), { outcome })).toEqual(ids);
    });

    it('finds undelivered ones, also without an attempt, but no tests', async () => {
      const log = await createWithAll();
      expect(await newest(log, { isDelivered: false })).toEqual(['5', '3', '2', '0']);
      expect(await newest(log, { isDelivered: true })).toEqual(['4', '1']);
    });

    it('finds what a recovery sends, oldest first, without tests', async () => {
      const { reader } = await createWithAll();
      const since = (minutes: number) =>
        reader.undelivered(INTEGRATION, { since: pastNoon(minutes), limit: 100 });
      expect(idsOf(await since(0))).toEqual(['0', '2', '3', '5']);
      expect(idsOf(await since(2))).toEqual(['2', '3', '5']);
      expect(idsOf(await since(6))).toEqual([]);
    });
  });

  it.each(['x', '../..', 'a b', 'ZXZlbnQjMQ', 'MjAyNi0xMS0yMFQxMjowMDowMC4wMDBaI2V2dF8x=='])(
    'refuses the cursor %j, which no page gave',
    async (after) => {
      const { reader } = await create();
      const page = { filter: {}, limit: 1, after };
      const refusal = await refusalOf(() => reader.newest(INTEGRATION, page));
      expect(refusal).toMatchObject({ kind: 'validation', faults: [{ parameter: 'cursor' }] });
      const since = pastNoon(0);
      expect(
        await refusalOf(() => reader.undelivered(INTEGRATION, { since, limit: 1, after })),
      ).toMatchObject({ kind: 'validation' });
    },
  );
});

const DELIVERY = aDelivery();

const attemptAt = (minutes: number, statusCode: number, overrides: Partial<Attempt> = {}) =>
  anAttempt(
    { number: minutes + 1, startedAt: pastNoon(minutes), ...overrides },
    answered(statusCode, `answer ${minutes}`),
  );

const backingOffAt = (minutes: number) =>
  attemptAt(minutes, 504, { nextAttemptAt: pastNoon(minutes + 1) });

const readingOf = async ({ log }: WrittenDeliveryLog) => (await log.read([DELIVERY]))[0];

const writeFirst = ({ log }: WrittenDeliveryLog, attempt: Attempt) =>
  log.write([{ delivery: DELIVERY, attempt, logged: 'nothing' }]);

const loggedAt = (minutes: number, statusCode: number) => ({
  startedAt: pastNoon(minutes).toISOString(),
  outcome: classify(answered(statusCode)).class,
  statusCode,
});

/** What the log has after attempts, the latest of which is given. */
const attempted = (
  latest: Attempt,
  { backsOff, first }: { backsOff: boolean; first?: ReturnType<typeof loggedAt> },
) => {
  const { number, startedAt, outcome } = latest;
  const { result } = outcome;
  const statusCode = result.kind === 'answered' ? result.statusCode : undefined;
  return {
    logged: 'attempted',
    latestAttempt: {
      ...{ number, backsOff, statusCode },
      startedAt: startedAt.toISOString(),
      outcome: outcome.class,
    },
    ...(first && { firstAttempt: first }),
  };
};

describeDeliveryLogs((create) => {
  it('knows the latest attempt and whether another follows', async () => {
    const subject = await create();
    await writeFirst(subject, backingOffAt(0));
    expect(await readingOf(subject)).toEqual(attempted(backingOffAt(0), { backsOff: true }));
    await subject.record(backingOffAt(1));
    const first = loggedAt(0, 504);
    expect(await readingOf(subject)).toEqual(attempted(backingOffAt(1), { backsOff: true, first }));
  });

  it('has no backoff that is over', async () => {
    const subject = await create();
    await writeFirst(subject, backingOffAt(0));
    await subject.record(attemptAt(1, 500));
    const first = loggedAt(0, 504);
    const second = attempted(attemptAt(1, 500), { backsOff: false, first });
    expect(await readingOf(subject)).toEqual(second);
    await subject.record(attemptAt(2, 200));
    const third = attempted(attemptAt(2, 200), { backsOff: false, first });
    const deliveredAt = endOf(attemptAt(2, 200)).toISOString();
    expect(await readingOf(subject)).toEqual({ ...third, logged: 'delivered', deliveredAt });
  });

  it('reports the attempt of a backoff when an earlier one is recorded late', async () => {
    const subject = await create();
    await writeFirst(subject, backingOffAt(5));
    await subject.record(attemptAt(2, 500));
    expect(await readingOf(subject)).toEqual(attempted(backingOffAt(5), { backsOff: true }));
  });

  it('knows whether an endpoint confirmed a delivery since an instant', async () => {
    const subject = await create();
    const confirmedSince = (minutes: number, seconds = 0) =>
      subject.log.confirmedSince(
        DELIVERY.integration,
        new Date(pastNoon(minutes).getTime() + 1_000 * seconds),
      );
    expect(await confirmedSince(0)).toBe(false);
    await writeFirst(subject, attemptAt(0, 500));
    expect(await confirmedSince(0)).toBe(false);
    await subject.record(attemptAt(7, 200));
    expect(await confirmedSince(0)).toBe(true);
    expect(await confirmedSince(7)).toBe(true);
    expect(await confirmedSince(7, 1)).toBe(false);
  });

  it('knows of a confirmed delivery among others that were refused or wait', async () => {
    const subject = await create();
    const deliveries = Array.from({ length: 24 }, (_, index) =>
      aDelivery({ event: anEventReference(`evt_${index}`) }),
    );
    await subject.open(...deliveries);
    const attempts = deliveries
      .slice(0, 12)
      .map(({ event }, index) => attemptAt(1, index === 5 ? 200 : 500, { event }));
    await subject.record(...attempts);
    expect(await subject.log.confirmedSince(DELIVERY.integration, pastNoon(1))).toBe(true);
  });

  it('looks for a confirmed delivery among the newest ones only', async () => {
    const subject = await create();
    const confirmed = aDelivery({ event: anEventReference('evt_0') });
    await subject.record(attemptAt(1, 200, { event: confirmed.event }));
    expect(await subject.log.confirmedSince(DELIVERY.integration, pastNoon(0))).toBe(true);
    const newer = Array.from({ length: 80 }, (_, index) =>
      aDelivery({ event: { ...anEventReference(`evt_${index + 1}`), occurredAt: NEWER } }),
    );
    await subject.open(...newer);
    expect(await subject.log.confirmedSince(DELIVERY.integration, pastNoon(0))).toBe(false);
  });

  it('does not take a test for a confirmed delivery', async () => {
    const subject = await create();
    await writeFirst(subject, { ...attemptAt(0, 200), trigger: 'test' });
    expect(await subject.log.confirmedSince(DELIVERY.integration, pastNoon(0))).toBe(false);
  });

  it('takes no integration for confirmed because another is', async () => {
    const subject = await create();
    await writeFirst(subject, attemptAt(0, 200));
    expect(await subject.log.confirmedSince('another00000', pastNoon(0))).toBe(false);
  });
});
