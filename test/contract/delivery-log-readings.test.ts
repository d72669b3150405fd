import { expect, it } from 'vitest';
import type { Attempt } from '../../core/delivery/attempt.ts';
import {
  describeDeliveryLogs,
  pastNoon,
  type WrittenDeliveryLog,
} from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const DELIVERY = aDelivery();

const attemptAt = (minutes: number, statusCode: number, wishes: Partial<Attempt> = {}) =>
  anAttempt(
    { number: minutes + 1, startedAt: pastNoon(minutes), ...wishes },
    answered(statusCode, `answer ${minutes}`),
  );

const backingOffAt = (minutes: number) =>
  attemptAt(minutes, 504, { nextAttemptAt: pastNoon(minutes + 1) });

const readingOf = async ({ log }: WrittenDeliveryLog) => (await log.read([DELIVERY]))[0];

const writeFirst = ({ log }: WrittenDeliveryLog, attempt: Attempt) =>
  log.write([{ delivery: DELIVERY, attempt, logged: 'nothing' }]);

describeDeliveryLogs((create) => {
  it('tells after which attempt a delivery backs off, the first or a later one', async () => {
    const subject = await create();
    await writeFirst(subject, backingOffAt(0));
    expect(await readingOf(subject)).toEqual({ logged: 'attempted', backsOffAfter: 1 });
    await subject.record(backingOffAt(1));
    expect(await readingOf(subject)).toEqual({ logged: 'attempted', backsOffAfter: 2 });
  });

  it('tells of no backoff after an attempt that none is to follow', async () => {
    const subject = await create();
    await writeFirst(subject, attemptAt(0, 500));
    expect(await readingOf(subject)).toEqual({ logged: 'attempted' });
  });

  it('tells of no backoff that is over', async () => {
    const subject = await create();
    await writeFirst(subject, backingOffAt(0));
    await subject.record(attemptAt(1, 500));
    expect(await readingOf(subject)).toEqual({ logged: 'attempted' });
    await subject.record(attemptAt(2, 200));
    expect(await readingOf(subject)).toEqual({ logged: 'delivered' });
  });

  it('tells after which attempt a delivery backs off when an earlier one is recorded late', async () => {
    const subject = await create();
    await writeFirst(subject, backingOffAt(5));
    await subject.record(attemptAt(2, 500));
    expect(await readingOf(subject)).toEqual({ logged: 'attempted', backsOffAfter: 6 });
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

  it('takes no integration for confirmed because another is', async () => {
    const subject = await create();
    await writeFirst(subject, attemptAt(0, 200));
    expect(await subject.log.confirmedSince('another00000', pastNoon(0))).toBe(false);
  });
});
