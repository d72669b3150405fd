import { describe, expect, it } from 'vitest';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import {
  attemptsOf,
  firstSettled,
  passHoursUntil,
  pendingOf,
  schedulesOf,
} from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { DeliveriesTo } from '../support/receiver/received-deliveries.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/** Milliseconds between one arrival and the next. */
const gapsOf = (deliveries: DeliveriesTo): number[] =>
  deliveries.all.slice(1).map(({ arrivedAt }, index) => {
    const before = deliveries.all[index]?.arrivedAt.getTime() ?? Number.NaN;
    return arrivedAt.getTime() - before;
  });

describe.concurrent('An endpoint that answers 504', () => {
  it('gets the same delivery after growing delays until it confirms it', async () => {
    const customer = await newCustomer();
    receiver.behave('/backoff', answer(504), answer(504), answer(504), answer(200));
    const deliveries = new DeliveriesTo(receiver, '/backoff');
    const { id, bareId } = await customer.register(receiver.url('/backoff'));

    await customer.publish(customer.sampleEvent());

    await deliveries.count(4);
    const [first, ...again] = deliveries.all;
    for (const request of again) {
      expect(request.body).toEqual(first?.body);
      expect(request.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    }
    const [afterFirst = 0, afterSecond = 0, afterThird = 0] = gapsOf(deliveries);
    expect(afterFirst).toBeGreaterThan(800 - 50);
    expect(afterSecond).toBeGreaterThan(1_600 - 50);
    expect(afterThird).toBeGreaterThan(3_200 - 50);
    const log = await eventually(
      () => attemptsOf(bareId),
      (attempts) => attempts.length === 4,
    );
    expect(log.map(({ number, trigger, outcome }) => [number, trigger, outcome])).toEqual([
      [1, 'event', 'transient'],
      [2, 'backoff', 'transient'],
      [3, 'backoff', 'transient'],
      [4, 'backoff', 'delivered'],
    ]);
    const { document } = await customer.call('GET', id);
    expect(document).toMatchObject({ status: 'active', isHealthy: true });
    expect(await schedulesOf(bareId)).toEqual([]);
  });

  it('makes its webhook busy: new events wait until the first 2xx', async () => {
    const customer = await newCustomer();
    receiver.behave('/busy', answer(504));
    const { id, bareId } = await customer.register(receiver.url('/busy'));
    const first = customer.sampleEvent();
    const others = customer.sampleEvents(29);
    const later = customer.sampleEvents(10);

    await customer.publish(first);
    await firstSettled(bareId);
    await customer.publish(...others);
    const busy = await eventually(
      () => customer.call('GET', id),
      ({ document }) => document.status === 'busy',
    );
    expect(busy.document).toMatchObject({ status: 'busy', isHealthy: true });
    expect(await schedulesOf(bareId)).toHaveLength(1);
    await customer.publish(...later);
    const laterIds = later.map((event) => event.id);
    await eventually(
      () => pendingOf(bareId),
      (pending) => laterIds.every((event) => pending.includes(event)),
    );
    const attempts = await attemptsOf(bareId);
    expect(attempts.filter(({ eventId }) => laterIds.includes(String(eventId)))).toEqual([]);

    receiver.behave('/busy', answer(200));
    const confirmed = new DeliveriesTo(receiver, '/busy');
    await eventually(
      () => customer.call('GET', id),
      ({ document }) => document.status === 'active',
    );
    // What was not due yet waits for the hour.
    await passHoursUntil({ customer, bareId }, async () => {
      const left = [...(await pendingOf(bareId)), ...(await schedulesOf(bareId))];
      return left.length === 0;
    });
    await confirmed.each([first, ...others, ...later]);
  });
});
