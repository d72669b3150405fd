import { describe, expect, it } from 'vitest';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { attemptsOf, endHour, pendingOf } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { DeliveriesTo } from '../support/receiver/received-deliveries.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

describe('An endpoint that answers 504 for the whole of a backoff', () => {
  it('fails its integration, and is sent the event again after an hour', async () => {
    const customer = await newCustomer();
    receiver.behave('/window', answer(504));
    const deliveries = new DeliveriesTo(receiver, '/window');
    const { id, bareId } = await customer.register(receiver.url('/window'));
    const event = customer.sampleEvent();

    await customer.publish(event);

    const failed = await eventually(
      () => customer.call('GET', id),
      ({ document }) => document.status === 'failed',
    );
    expect(failed.document).toMatchObject({ isHealthy: false, failure: { statusCode: 504 } });
    await eventually(
      () => pendingOf(bareId),
      (pending) => pending.includes(event.id),
    );
    expect(deliveries.all.length).toBeGreaterThan(2);

    receiver.behave('/window', answer(200));
    await endHour({ customer, bareId });
    const attempts = await eventually(
      () => attemptsOf(bareId),
      (made) => made.some(({ outcome }) => outcome === 'delivered'),
    );
    expect(new Set(deliveries.events)).toEqual(new Set([event.id]));
    expect(attempts.at(-1)).toMatchObject({ trigger: 'hourly', number: attempts.length });
  });
});
