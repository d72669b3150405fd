import { describe, expect, it } from 'vitest';
import { countOf } from '../support/count-of.ts';
import { CustomerWebhook, newCustomer } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { countPendingOf, eventsRouted, passHoursUntil } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { DeliveriesTo } from '../support/receiver/received-deliveries.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/** Far more than a page of a replay. */
const EVENTS = countOf({ usually: 1_000, long: 10_000 });

/** Counting so many items is slow in the emulated table. */
const NOW_AND_THEN = { betweenReadsMs: 500 };

/** Messages in flight overtake each other. A batch that the machine holds up is overtaken by more. */
const OVERTAKING = 200;

describe('The replay', () => {
  it(`of ${EVENTS} events misses none, and begins with the oldest`, async () => {
    const customer = await newCustomer();
    receiver.behave('/replayed', answer(500));
    const { id, bareId } = await customer.register(receiver.url('/replayed'));
    const events = customer.sampleEvents(EVENTS);
    await customer.publish(...events);
    const counts = (wanted: number) =>
      eventually(
        () => countPendingOf(bareId),
        (count) => count === wanted,
        NOW_AND_THEN,
      );
    await counts(EVENTS);
    const deliveries = new DeliveriesTo(receiver, '/replayed');

    receiver.behave('/replayed', answer(200));
    await customer.call('PATCH', id, { body: { active: true } });

    // On a slow machine attempts time out, and those that find no slot for a backoff wait for the hour.
    const hasArrived = async () => new Set(deliveries.events).size === EVENTS;
    await passHoursUntil({ customer, bareId }, hasArrived);
    await counts(0);
    const age = new Map(events.map((event, index) => [event.id, index]));
    const arrivedAt = [...new Set(deliveries.events)].map((event) => age.get(event) ?? Number.NaN);
    const displacements = arrivedAt.map((place, index) => Math.abs(place - index));
    const inPlace = displacements.filter((displacement) => displacement < OVERTAKING);
    expect(arrivedAt).toHaveLength(EVENTS);
    // Of an arbitrary order it would be a third.
    expect(inPlace.length).toBeGreaterThan(0.7 * EVENTS);
  });
});

/**
 * More than the functions of stage `local` attempt at once, two batches of 200 in the slow lane
 * among them: some wait for their first attempt.
 */
const MORE_THAN_AT_ONCE = 500;

describe('A webhook that is switched off amid its events', () => {
  it('is sent each event that was routed to it before it was switched on', async () => {
    const switchedOff = Promise.withResolvers<void>();
    const webhook = await CustomerWebhook.at(receiver, '/switched-off-amid', {
      behaves: [
        async (connection, request) => {
          await switchedOff.promise;
          await answer(200)(connection, request);
        },
      ],
    });
    const { customer, id } = webhook;
    const events = customer.sampleEvents(MORE_THAN_AT_ONCE);
    await customer.publish(...events);
    await eventsRouted();

    await customer.call('PATCH', id, { body: { active: false } });
    switchedOff.resolve();

    await eventually(
      async () => new Set([...(await webhook.pending()), ...webhook.deliveries.events]),
      ({ size }) => size === events.length,
    );
    const arrived = new Set(webhook.deliveries.events);
    expect(arrived.size).toBeLessThan(events.length);
    expect(await webhook.read()).toMatchObject({ status: 'inactive' });
    await customer.call('PATCH', id, { body: { active: true } });
    await webhook.deliveries.each(events);
    await eventually(
      () => webhook.pending(),
      ({ length }) => length === 0,
    );
  });
});
