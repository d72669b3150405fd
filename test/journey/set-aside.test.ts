import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer, refuseOnly } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

describe('An event that its endpoint refuses every time', () => {
  it('is set aside once another was confirmed, and delivered by a resend when the endpoint is mended', async () => {
    const path = '/refuses-one';
    const webhook = await CustomerWebhook.at(receiver, path);
    const [refused, other, later] = webhook.customer.sampleEvents(3);
    if (!refused || !other || !later) throw new Error('There are no events.');
    receiver.behave(path, refuseOnly(refused));
    const list = `${webhook.id}/pending-events?state=set-aside`;
    const counted = (count: number) =>
      eventually(
        () => webhook.read(),
        ({ setAsideEvents }) => setAsideEvents === count,
      );

    await webhook.customer.publish(refused);
    expect(await webhook.becomes('failed')).toMatchObject({ setAsideEvents: 0 });
    expect(await webhook.page(list)).toMatchObject({ totalItems: 0, member: [] });
    await webhook.longBeforeTheHour();
    await webhook.customer.publish(other);
    // The attempt of the hour would do the same as the retry.
    await webhook.deliveryThat(other, (it) => it.isPending || it.outcome === 'delivered');
    expect((await webhook.post('/retry')).status).toBe(200);
    await webhook.customer.publish(later);

    const setAside = await webhook.deliveryThat(
      refused,
      ({ isSetAside, isPending }) => isSetAside && !isPending,
    );
    expect(setAside).toMatchObject({
      outcome: 'fatal',
      // The hourly retry or the requested one sets it aside if `other` was confirmed before.
      latestAttempt: {
        trigger: expect.stringMatching(/^(replay|hourly|manual)$/),
        statusCode: 400,
      },
    });
    expect(await counted(1)).toMatchObject({ status: 'active', isHealthy: true });
    expect(await webhook.page(list)).toMatchObject({
      totalItems: 1,
      member: [{ id: setAside.id, isSetAside: true }],
    });
    expect(await webhook.pending()).toEqual([]);
    for (const event of [other, later]) {
      const delivery = await webhook.deliveryThat(
        event,
        ({ outcome, isPending }) => outcome === 'delivered' && !isPending,
      );
      expect(delivery).toMatchObject({ isSetAside: false });
    }

    receiver.behave(path, answer(200));
    expect((await webhook.post(`/deliveries/${refused.id}/resend`)).status).toBe(202);

    await webhook.deliveryThat(refused, (it) => it.outcome === 'delivered' && !it.isSetAside);
    expect(await counted(0)).toMatchObject({ status: 'active' });
    expect(await webhook.page(list)).toMatchObject({ totalItems: 0, member: [] });
  });
});
