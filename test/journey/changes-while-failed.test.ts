import { describe, expect, it } from 'vitest';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import {
  attemptsOf,
  passHoursUntil,
  pendingOf,
  schedulesOf,
} from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { carries, DeliveriesTo, isAuthentic } from '../support/receiver/received-deliveries.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

const NEW_SECRET = 'a new secret, of my own choice';

/** A failed webhook with pending events, and a healthy one that gets the same events. */
const failedWebhook = async (path: string) => {
  const customer = await newCustomer();
  receiver.behave(path, answer(500));
  const webhook = await customer.register(receiver.url(path));
  await customer.register(receiver.url(`${path}/witness`));
  const events = customer.sampleEvents(12);
  await customer.publish(...events);
  await eventually(
    () => pendingOf(webhook.bareId),
    (pending) => pending.length === events.length,
  );
  const publishWitnessed = async (event: { id: string }) => {
    await customer.publish(event);
    await receiver.requests.where((request) => {
      return request.path === `${path}/witness` && carries(event)(request);
    });
  };
  return { ...webhook, customer, events, publishWitnessed };
};

const none = (found: readonly unknown[]): boolean => found.length === 0;

/** A schedule that an attempt under way makes too late removes itself after an hour. */
const hasNoSchedule = (webhook: Awaited<ReturnType<typeof failedWebhook>>): Promise<void> =>
  passHoursUntil(webhook, async () => none(await schedulesOf(webhook.bareId)));

describe.concurrent('While an integration is failed', () => {
  it.each(['PUT', 'PATCH'])(
    'a %s has all that is pending replayed to the new address, with the new secret',
    async (method) => {
      const webhook = await failedWebhook(`/old/${method}`);
      const { id, bareId, customer, events } = webhook;
      const toOld = new DeliveriesTo(receiver, `/old/${method}`);
      const toNew = new DeliveriesTo(receiver, `/new/${method}`);
      const config = { baseUrl: receiver.url(`/new/${method}`), webhookSecret: NEW_SECRET };

      const { status, document } = await customer.call(method, id, {
        body:
          method === 'PATCH'
            ? { config }
            : { active: true, provider: 'webhook', config, settings: {} },
      });

      expect(status).toBe(200);
      expect(document).toMatchObject({ status: 'active', isHealthy: true });
      await toNew.each(events);
      expect(toNew.all.filter((request) => !isAuthentic(request, NEW_SECRET))).toEqual([]);
      expect(toOld.all).toEqual([]);
      await eventually(() => pendingOf(bareId), none);
      await hasNoSchedule(webhook);
      const delivered = await eventually(
        async () => (await attemptsOf(bareId)).filter(({ outcome }) => outcome === 'delivered'),
        (attempts) => attempts.length >= events.length,
      );
      expect(new Set(delivered.map(({ trigger }) => trigger))).toEqual(new Set(['replay']));
    },
  );

  it('its deactivation stops all attempts, and its reactivation replays', async () => {
    const webhook = await failedWebhook('/paused');
    const { id, bareId, customer, events, publishWitnessed } = webhook;

    await customer.call('PATCH', id, { body: { active: false } });
    const whileInactive = customer.sampleEvent({ occurredAt: new Date().toISOString() });
    await hasNoSchedule(webhook);
    const attempts = new DeliveriesTo(receiver, '/paused');
    await publishWitnessed(whileInactive);

    const { document } = await customer.call('GET', id);
    expect(document).toMatchObject({ active: false, status: 'inactive' });
    expect(await pendingOf(bareId)).toEqual(events.map((event) => event.id));

    receiver.behave('/paused', answer(200));
    expect(attempts.all).toEqual([]);
    await customer.call('PATCH', id, { body: { active: true } });
    await attempts.each(events);
    expect(attempts.events).not.toContain(whileInactive.id);
    await eventually(() => pendingOf(bareId), none);
  });

  it('its deletion ends all attempts and clears everything of it away', async () => {
    const webhook = await failedWebhook('/deleted');
    const { id, bareId, customer, publishWitnessed } = webhook;

    const { status } = await customer.call('DELETE', id);
    const attempts = new DeliveriesTo(receiver, '/deleted');

    expect(status).toBe(204);
    expect((await customer.call('GET', id)).status).toBe(404);
    expect((await customer.call('DELETE', id)).status).toBe(404);
    await eventually(() => pendingOf(bareId), none);
    expect((await customer.call('GET', `${id}/deliveries`)).status).toBe(404);
    await hasNoSchedule(webhook);
    const later = customer.sampleEvent();
    await publishWitnessed(later);
    expect(await pendingOf(bareId)).toEqual([]);
    expect(attempts.all).toEqual([]);
  });
});
