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

describe.concurrent('An endpoint that answers 504', () => {
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
