import { describe, expect, it } from 'vitest';
import type { Attempt } from '../../core/delivery/attempt.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { Logged } from '../../core/delivery/delivery-log.ts';
import {
  describeDeliveryLogs,
  laterEntry,
  pastNoon,
  type WrittenDeliveryLog,
} from '../support/adapters/delivery-logs.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { answered } from '../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../support/event/platform-events.ts';

const INTEGRATION = aDelivery().integration;

const deliveryOf = (id: string, overrides: Partial<Delivery> = {}): Delivery =>
  aDelivery({ event: anEventReference(id), body: `{"of":"${id}"}`, ...overrides });

/** An attempt of the delivery of `evt_1`, made `minutes` minutes past noon. */
const attemptAt = (minutes: number, statusCode: number, overrides: Partial<Attempt> = {}) =>
  anAttempt(
    {
      event: anEventReference('evt_1'),
      number: minutes + 1,
      startedAt: pastNoon(minutes),
      ...overrides,
    },
    answered(statusCode, `answer ${minutes}`),
  );

const write = ({ log }: WrittenDeliveryLog, attempt: Attempt, logged: Logged) =>
  log.write([{ delivery: deliveryOf(attempt.event.id), attempt, logged }]);

const listedIn = async ({ reader }: WrittenDeliveryLog, integration = INTEGRATION) => {
  const { deliveries } = await reader.newest(integration, { filter: {}, limit: 100 });
  return deliveries.map(({ event, deliveredAt, latestAttempt }) => ({
    id: event.id,
    latest: latestAttempt?.number,
    deliveredAt,
  }));
};

describeDeliveryLogs((create) => {
  it('lists deliveries before any attempt, with what is sent', async () => {
    const subject = await create();
    const deliveries = Array.from({ length: 23 }, (_, index) =>
      deliveryOf('evt_1', { integration: `integration${index}`, body: `{"for":${index}}` }),
    );
    await subject.open(...deliveries);
    for (const delivery of deliveries) {
      expect(await listedIn(subject, delivery.integration)).toEqual([
        { id: 'evt_1', latest: undefined, deliveredAt: undefined },
      ]);
      expect(await subject.reader.bodyOf(delivery)).toBe(delivery.body);
    }
  });

  it('lists deliveries of one event once', async () => {
    const subject = await create();
    const twice = [deliveryOf('evt_1'), deliveryOf('evt_2'), deliveryOf('evt_1')];
    expect(await subject.log.list(twice)).toEqual([undefined, undefined, undefined]);
    expect((await listedIn(subject)).map(({ id }) => id).toSorted()).toEqual(['evt_1', 'evt_2']);
  });

  it.each([1, 2])('leaves what it has of a delivery that is to be listed: %i', async (count) => {
    const subject = await create();
    await write(subject, attemptAt(0, 200), 'nothing');
    const before = await listedIn(subject);
    const others = Array.from({ length: count - 1 }, (_, index) => deliveryOf(`evt_a${index}`));
    const sentAgain = deliveryOf('evt_1', { body: '{"another":"body"}' });
    expect(await subject.log.list([...others, sentAgain])).toEqual(Array(count).fill(undefined));
    expect(await listedIn(subject)).toEqual(expect.arrayContaining(before));
    expect(await listedIn(subject)).toHaveLength(count);
    expect(await subject.reader.bodyOf(sentAgain)).toBe('{"of":"evt_1"}');
    expect(await subject.reader.attemptsOf(sentAgain)).toEqual([attemptAt(0, 200)]);
  });

  it('lists a delivery with its first attempt, its body and the answer', async () => {
    const subject = await create();
    await write(subject, attemptAt(0, 200), 'nothing');
    expect(await listedIn(subject)).toEqual([
      { id: 'evt_1', latest: 1, deliveredAt: '2026-11-20T12:00:00.040Z' },
    ]);
    expect(await subject.reader.bodyOf(deliveryOf('evt_1'))).toBe('{"of":"evt_1"}');
    expect(await subject.reader.attemptsOf(deliveryOf('evt_1'))).toEqual([attemptAt(0, 200)]);
  });

  it('lists the first attempt of a delivery that was listed without', async () => {
    const subject = await create();
    await subject.open(deliveryOf('evt_1'));
    await write(subject, attemptAt(0, 500), 'listed');
    expect(await listedIn(subject)).toMatchObject([{ latest: 1, deliveredAt: undefined }]);
    expect(await subject.reader.attemptsOf(deliveryOf('evt_1'))).toEqual([attemptAt(0, 500)]);
  });

  it('keeps the first attempt when others follow', async () => {
    const subject = await create();
    const attempts = [attemptAt(0, 504), attemptAt(1, 500), attemptAt(2, 200)];
    for (const [index, attempt] of attempts.entries()) {
      await write(subject, attempt, index === 0 ? 'nothing' : 'attempted');
    }
    expect(await listedIn(subject)).toEqual([
      { id: 'evt_1', latest: 3, deliveredAt: '2026-11-20T12:02:00.040Z' },
    ]);
    expect(await subject.reader.attemptsOf(deliveryOf('evt_1'))).toEqual(attempts);
    expect(await subject.reader.bodyOf(deliveryOf('evt_1'))).toBe('{"of":"evt_1"}');
  });

  it('keeps its content when it was not read before an attempt', async () => {
    const subject = await create();
    await write(subject, attemptAt(0, 200), 'nothing');
    await write(subject, attemptAt(1, 500), 'unknown');
    expect(await listedIn(subject)).toEqual([
      { id: 'evt_1', latest: 2, deliveredAt: '2026-11-20T12:00:00.040Z' },
    ]);
    expect(await subject.reader.attemptsOf(deliveryOf('evt_1'))).toHaveLength(2);
  });

  it('has the body of a delivery whose earlier attempts it could not write', async () => {
    const subject = await create();
    await write(subject, attemptAt(3, 500), 'unknown');
    expect(await listedIn(subject)).toMatchObject([{ latest: 4 }]);
    expect(await subject.reader.bodyOf(deliveryOf('evt_1'))).toBe('{"of":"evt_1"}');
  });

  it('takes many entries at once, and two messages of a delivery among them', async () => {
    const subject = await create();
    const entries = Array.from({ length: 30 }, (_, index) => {
      const delivery = deliveryOf(`evt_${index}`);
      return {
        delivery,
        attempt: anAttempt({ event: delivery.event }),
        logged: 'nothing' as const,
      };
    });
    const again = { ...attemptAt(1, 500), number: 1 };
    const twice = { delivery: deliveryOf('evt_1'), attempt: again, logged: 'nothing' as const };
    await subject.log.write([...entries, twice, twice]);
    expect(await listedIn(subject)).toHaveLength(30);
    expect(await subject.reader.attemptsOf(deliveryOf('evt_1'))).toHaveLength(2);
    const all = await subject.log.read(entries.map(({ delivery }) => delivery));
    expect(all).toMatchObject(entries.map(() => ({ logged: 'delivered' })));
  });

  it.each([
    ['nothing', [200, 200]],
    ['nothing', [504, 409]],
    ['listed', [200, 200]],
    ['listed', [409, 200]],
  ] as const)('keeps both attempts of a delivery in a batch: %s, %j', async (logged, answers) => {
    const subject = await create();
    const delivery = deliveryOf('evt_1');
    if (logged === 'listed') await subject.open(delivery);
    const attempts = answers.map((answer, index) => ({ ...attemptAt(index, answer), number: 1 }));
    await subject.log.write(attempts.map((attempt) => ({ delivery, attempt, logged })));
    expect(await subject.reader.attemptsOf(delivery)).toEqual(attempts);
    expect(await listedIn(subject)).toMatchObject([
      { deliveredAt: answers[1] === 200 ? expect.any(String) : undefined },
    ]);
  });

  it.each(['evt_1', 'evt_01M7WD7TG0ABCDEFGHJKMNPQRS'])(
    'has one delivery of an event that is sent again with another time: %s',
    async (id) => {
      const subject = await create();
      const event = anEventReference(id);
      await write(subject, attemptAt(0, 200, { event }), 'nothing');
      const again = { ...event, occurredAt: pastNoon(90).toISOString() };
      const repeat = { delivery: { ...deliveryOf(id), event: again }, logged: 'nothing' as const };
      const attempt = { ...attemptAt(90, 409, { event: again }), number: 1 };
      await subject.log.write([{ ...repeat, attempt }]);
      expect(await subject.log.read([repeat.delivery])).toMatchObject([{ logged: 'delivered' }]);
      expect(await listedIn(subject)).toMatchObject([{ id, latest: 1 }]);
      const found = await subject.reader.find(INTEGRATION, id);
      expect(found).toMatchObject({ event, deliveredAt: '2026-11-20T12:00:00.040Z' });
      const attempts = found ? await subject.reader.attemptsOf(found) : [];
      expect(attempts.map(({ outcome }) => outcome.class)).toEqual(['delivered', 'fatal']);
    },
  );

  describe.each(['evt_1', 'evt_01M7WD7TG0ABCDEFGHJKMNPQRS'])('a confirmed %s', (id) => {
    const event = anEventReference(id);
    const again = { ...event, occurredAt: pastNoon(90).toISOString() };
    const repeat = { ...deliveryOf(id), event: again };
    const confirmed = { logged: 'delivered', occurredAt: event.occurredAt };

    it('is read and found when its repeat has another time, and gets 504', async () => {
      const subject = await create();
      await write(subject, attemptAt(0, 200, { event }), 'nothing');
      const attempt = { ...attemptAt(90, 504, { event: again }), number: 1 };
      await subject.log.write([{ delivery: repeat, attempt, logged: 'nothing' }]);
      expect(await subject.log.read([repeat])).toMatchObject([confirmed]);
      expect(await subject.reader.find(INTEGRATION, id)).toMatchObject({ event });
    });

    it('is read and found when its repeat has another time, and waits', async () => {
      const subject = await create();
      await write(subject, attemptAt(0, 200, { event }), 'nothing');
      await subject.open(repeat);
      expect(await subject.log.read([repeat])).toMatchObject([confirmed]);
      expect(await subject.reader.find(INTEGRATION, id)).toMatchObject({ event });
    });

    it('is read beside others, and as it was asked for', async () => {
      const subject = await create();
      await write(subject, attemptAt(0, 200, { event }), 'nothing');
      const other = deliveryOf('evt_other');
      const readings = await subject.log.read([other, repeat, { ...repeat, event }]);
      expect(readings[0]).toEqual({ logged: 'nothing' });
      expect(readings[1]).toMatchObject(confirmed);
      expect(readings[2]).not.toHaveProperty('occurredAt');
    });
  });

  it('tells of an attempt that was written since the delivery was read', async () => {
    const subject = await create();
    expect(await write(subject, attemptAt(0, 409), 'nothing')).toEqual([false]);
    // Another message, which read the log before.
    expect(await write(subject, { ...attemptAt(1, 200), number: 1 }, 'nothing')).toEqual([true]);
    expect(await write(subject, attemptAt(2, 500), 'attempted')).toEqual([false]);
    // It began before the latest that is listed.
    const earlier = { ...attemptAt(2, 200), startedAt: pastNoon(1.5) };
    expect(await write(subject, earlier, 'attempted')).toEqual([true]);
    const of2 = {
      delivery: deliveryOf('evt_2'),
      attempt: anAttempt({ event: anEventReference('evt_2') }),
    };
    const repeated = {
      delivery: deliveryOf('evt_1'),
      attempt: { ...attemptAt(3, 200), number: 1 },
    };
    expect(
      await subject.log.write([of2, repeated].map((entry) => ({ ...entry, logged: 'nothing' }))),
    ).toEqual([false, true]);
  });

  it.each([
    ['a confirmed', 200, 409],
    ['a refused', 500, 200],
    ['an unanswered', 504, 200],
  ])('keeps %s first attempt when another is written as the first', async (_kind, one, other) => {
    for (const others of [[], [deliveryOf('evt_2')]]) {
      const subject = await create();
      await write(subject, attemptAt(0, one), 'nothing');
      const repeated = { ...attemptAt(1, other), number: 1 };
      const entryOf = (delivery: Delivery, attempt: Attempt) => ({
        ...{ delivery, attempt: { ...attempt, event: delivery.event } },
        logged: 'nothing' as const,
      });
      await subject.log.write([
        entryOf(deliveryOf('evt_1'), repeated),
        ...others.map((delivery) => entryOf(delivery, repeated)),
      ]);
      const deliveredAt = one === 200 ? '2026-11-20T12:00:00.040Z' : '2026-11-20T12:01:00.040Z';
      expect((await listedIn(subject)).find(({ id }) => id === 'evt_1')).toMatchObject({
        deliveredAt,
      });
      const attempts = [attemptAt(0, one), repeated];
      expect(await subject.reader.attemptsOf(deliveryOf('evt_1'))).toEqual(attempts);
    }
  });

  it('keeps what was attempted since a delivery was read as listed', async () => {
    const subject = await create();
    await subject.open(deliveryOf('evt_1'));
    await write(subject, attemptAt(0, 200), 'listed');
    await write(subject, { ...attemptAt(1, 409), number: 1 }, 'listed');
    expect(await subject.reader.attemptsOf(deliveryOf('evt_1'))).toHaveLength(2);
    expect(await listedIn(subject)).toMatchObject([{ deliveredAt: '2026-11-20T12:00:00.040Z' }]);
  });

  it('keeps every attempt, those of one instant too', async () => {
    const subject = await create();
    await write(subject, attemptAt(0, 504), 'nothing');
    await subject.record(attemptAt(0, 504, { number: 2 }), attemptAt(0, 504, { number: 3 }));
    const attempts = await subject.reader.attemptsOf(deliveryOf('evt_1'));
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('keeps an attempt once that is written again after a lost answer', async () => {
    const subject = await create();
    for (const _ of [1, 2]) await write(subject, attemptAt(0, 504), 'nothing');
    for (const _ of [1, 2]) await write(subject, attemptAt(1, 504), 'attempted');
    expect(await subject.reader.attemptsOf(deliveryOf('evt_1'))).toHaveLength(2);
  });

  it('lists the latest attempt, whichever is recorded last', async () => {
    const subject = await create();
    await subject.record(attemptAt(1, 504), attemptAt(7, 500), attemptAt(3, 504));
    expect(await listedIn(subject)).toMatchObject([{ latest: 8 }]);
  });

  it('lists the first attempt as the latest when an earlier one comes late', async () => {
    const subject = await create();
    await write(subject, attemptAt(5, 500), 'nothing');
    await write(subject, attemptAt(2, 504), 'attempted');
    expect(await listedIn(subject)).toMatchObject([{ latest: 6 }]);
  });

  it('knows what was delivered, whatever is attempted after it', async () => {
    const subject = await create();
    const logged = () => subject.log.read([deliveryOf('evt_1')]);
    expect(await logged()).toEqual([{ logged: 'nothing' }]);
    await subject.open(deliveryOf('evt_1'));
    expect(await logged()).toEqual([{ logged: 'listed' }]);
    await write(subject, attemptAt(0, 500), 'listed');
    expect(await logged()).toMatchObject([{ logged: 'attempted' }]);
    await subject.record(attemptAt(1, 200));
    expect(await logged()).toMatchObject([{ logged: 'delivered' }]);
    await subject.record(attemptAt(2, 500), attemptAt(3, 204));
    expect(await logged()).toMatchObject([{ logged: 'delivered' }]);
    expect(await listedIn(subject)).toEqual([
      { id: 'evt_1', latest: 4, deliveredAt: '2026-11-20T12:01:00.040Z' },
    ]);
  });

  it('knows what was delivered by an attempt that is recorded late', async () => {
    const subject = await create();
    await subject.open(deliveryOf('evt_1'));
    await subject.record(attemptAt(5, 500), attemptAt(2, 200));
    expect(await subject.log.read([deliveryOf('evt_1')])).toMatchObject([{ logged: 'delivered' }]);
    expect(await listedIn(subject)).toEqual([
      { id: 'evt_1', latest: 6, deliveredAt: '2026-11-20T12:02:00.040Z' },
    ]);
  });

  it('takes no event for delivered because another was', async () => {
    const subject = await create();
    await subject.log.write([laterEntry(attemptAt(0, 200))]);
    await subject.open(deliveryOf('evt_2'));
    const ofAnother = deliveryOf('evt_1', { integration: 'another' });
    const asked = [deliveryOf('evt_1'), deliveryOf('evt_2'), deliveryOf('evt_3'), ofAnother];
    const readings = await subject.log.read(asked);
    expect(readings).toMatchObject(
      ['delivered', 'listed', 'nothing', 'nothing'].map((logged) => ({ logged })),
    );
  });
});
