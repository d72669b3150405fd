import { describe, expect, it } from 'vitest';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { firstSettled } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { DeliveriesTo } from '../support/receiver/received-deliveries.ts';
import { answer, type Behaviour, reset } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

const dead: [what: string, status: string, Behaviour][] = [
  ['answers 500', 'failed', answer(500)],
  ['answers 504', 'busy', answer(504)],
  ['resets every connection', 'busy', reset],
];

describe.concurrent('Beside an endpoint that', () => {
  it.each(dead)(
    '%s, another of the account gets each event once, while the first is %s',
    async (what, status, behaviour) => {
      const customer = await newCustomer();
      const path = `/dead/${what.replaceAll(' ', '-')}`;
      receiver.behave(path, behaviour);
      const deliveries = new DeliveriesTo(receiver, `${path}/neighbour`);
      const { id, bareId } = await customer.register(receiver.url(path));
      await customer.register(receiver.url(`${path}/neighbour`));
      const first = customer.sampleEvent();
      const others = customer.sampleEvents(29);
      const before = [first, ...others];
      const after = customer.sampleEvents(30);

      await customer.publish(first);
      if (status === 'busy') await firstSettled(bareId);
      await customer.publish(...others);
      await eventually(
        () => customer.call('GET', id),
        ({ document }) => document.status === status,
      );
      await deliveries.each(before);
      await customer.publish(...after);
      await deliveries.each(after);

      expect(deliveries.events.toSorted()).toEqual(
        [...before, ...after].map((e) => e.id).toSorted(),
      );
    },
  );
});
