import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newCustomer } from '../support/customer.ts';
import { startReceiver } from '../support/journey-receiver.ts';
import type { MisbehavingReceiver } from '../support/misbehaving-receiver.ts';
import { DeliveriesTo } from '../support/received-deliveries.ts';
import { answer } from '../support/receiver-behaviours.ts';
import { countPendingOf } from '../support/service-state.ts';

let receiver: MisbehavingReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Far more than one run of a replay takes in one page. */
const EVENTS = 10_000;

/** Counting so many is work for the emulated table, so it is not asked all the time. */
const NOW_AND_THEN = { interval: 500, timeout: 90_000 };

/** Messages that are on their way at the same time overtake each other. */
const OVERTAKING = 200;

describe('The replay', () => {
  it('of ten thousand events misses none, and begins with the oldest', {
    timeout: 240_000,
  }, async () => {
    const customer = await newCustomer();
    receiver.behave('/replayed', answer(500));
    const { id, bareId } = await customer.register(receiver.url('/replayed'));
    const events = customer.sampleEvents(EVENTS);
    await customer.publish(...events);
    await expect.poll(() => countPendingOf(bareId), NOW_AND_THEN).toBe(EVENTS);
    const deliveries = new DeliveriesTo(receiver, '/replayed');

    receiver.behave('/replayed', answer(200));
    await customer.call('PATCH', id, { body: { active: true } });

    await deliveries.each(events);
    await expect.poll(() => countPendingOf(bareId), NOW_AND_THEN).toBe(0);
    const age = new Map(events.map((event, index) => [event.id, index]));
    const arrivedAt = [...new Set(deliveries.events)].map((event) => age.get(event) ?? Number.NaN);
    const displacements = arrivedAt.map((place, index) => Math.abs(place - index));
    expect(arrivedAt).toHaveLength(EVENTS);
    expect(Math.max(...displacements)).toBeLessThan(OVERTAKING);
  });
});
