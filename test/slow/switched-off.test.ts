import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { eventsRouted } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/**
 * More than the functions of stage `local` attempt at once, two batches of 100 in the slow lane
 * among them: some wait for their first attempt.
 */
const MORE_THAN_AT_ONCE = 300;

describe('A webhook that is switched off amid its events', () => {
  it('is sent each event that was routed to it before, once it is switched on', async () => {
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
