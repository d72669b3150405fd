import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { attemptsOf, endHour } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { carries, eventOf, isAuthentic } from '../support/receiver/received-deliveries.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/** A webhook that its first event has failed, with all its events pending. */
const failedWebhook = async (path: string) => {
  const webhook = await CustomerWebhook.at(receiver, path, {
    behaves: [answer(500, { body: 'Oh no.' })],
  });
  const [oldest, ...later] = webhook.customer.sampleEvents(12);
  if (oldest === undefined) throw new Error('There is no event.');
  await webhook.customer.publish(oldest);
  await webhook.becomes('failed');
  await webhook.customer.publish(...later);
  const events = [oldest, ...later];
  await eventually(
    () => webhook.pending(),
    ({ length }) => length === events.length,
  );
  return { webhook, events };
};

/** A webhook whose endpoint has confirmed an event. */
const deliveredTo = async (path: string) => {
  const webhook = await CustomerWebhook.at(receiver, path);
  const event = webhook.customer.sampleEvent();
  await webhook.customer.publish(event);
  await webhook.deliveryThat(event, ({ outcome }) => outcome === 'delivered');
  return { webhook, event };
};

/** The event that a retry shows. */
const retriedOf = <Event extends { id: string }>(
  { delivery }: Readonly<Record<string, unknown>>,
  events: readonly Event[],
): Event => {
  const retried = events.find(({ id }) => String(delivery).endsWith(`/deliveries/${id}`));
  if (retried === undefined) throw new Error('No event of the test was retried.');
  return retried;
};

describe.concurrent('A retry that is asked for', () => {
  it('attempts up to three events, and stays failed if they are refused', async () => {
    const { webhook, events } = await failedWebhook('/still-failing');
    const { failure } = await webhook.read();

    const { status, document } = await webhook.post('/retry');

    expect(status).toBe(200);
    const retried = retriedOf(document, events);
    expect(document).toEqual({
      '@context': '/contexts/Retry.jsonld',
      '@type': 'Retry',
      integration: webhook.id,
      result: 'still-failing',
      status: 'failed',
      delivery: `${webhook.id}/deliveries/${retried.id}`,
      attempt: {
        '@type': 'Attempt',
        number: expect.any(Number),
        trigger: 'manual',
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
        outcome: 'fatal',
        statusCode: 500,
        explanation: '/reasons/status-500',
        response: 'Oh no.',
      },
    });
    const attempts = await attemptsOf(webhook.bareId);
    const manual = attempts.filter(({ trigger }) => trigger === 'manual');
    // A retry for which a caller waits begins no third attempt where the first two took long.
    expect([1, 2, 3]).toContain(manual.length);
    expect(new Set(manual.map(({ eventId }) => eventId)).size).toBe(manual.length);
    expect(webhook.deliveries.all).toHaveLength(attempts.length);
    // The hourly attempt is as far away as before.
    const { since, nextAttemptAt } = failure ?? {};
    expect(await webhook.read()).toMatchObject({ failure: { since, nextAttemptAt } });
    expect(await webhook.pending()).toEqual(events.map(({ id }) => id));
    const logged = await webhook.deliveryThat(retried, (it) => it.attempts.length > 0);
    expect(logged.attempts).toContainEqual(document.attempt);
  });

  it('makes the webhook active when it is confirmed, and sends the rest', async () => {
    const { webhook, events } = await failedWebhook('/recovered');
    receiver.behave('/recovered', answer(202));

    const { document } = await webhook.post('/retry');

    const retried = retriedOf(document, events);
    expect(document).toMatchObject({
      result: 'recovered',
      status: 'active',
      delivery: `${webhook.id}/deliveries/${retried.id}`,
      attempt: { trigger: 'manual', outcome: 'delivered', statusCode: 202 },
    });
    for (const event of events) {
      // A confirmed event is logged before it is removed from the pending events.
      const delivery = await webhook.deliveryThat(
        event,
        ({ outcome, isPending }) => outcome === 'delivered' && !isPending,
      );
      const trigger = event === retried ? 'manual' : 'replay';
      expect(delivery).toMatchObject({ latestAttempt: { trigger } });
    }
    const confirmed = webhook.deliveries.all.slice(1);
    expect(new Set(confirmed.map(eventOf))).toEqual(new Set(events.map(({ id }) => id)));
    expect(confirmed[0]?.body.includes(retried.id)).toBe(true);
    expect(await webhook.pending()).toEqual([]);
    expect(await webhook.read()).toMatchObject({ status: 'active', isHealthy: true });
  });
});

describe.concurrent('An event that is sent again', () => {
  it('has its id and its bytes, fresh signatures, and a line in the log', async () => {
    const { webhook, event } = await deliveredTo('/resent');

    const { status, document } = await webhook.post(`/deliveries/${event.id}/resend`);

    expect(status).toBe(202);
    expect(document).toMatchObject({
      '@type': 'Delivery',
      id: `${webhook.id}/deliveries/${event.id}`,
      outcome: 'delivered',
    });
    await webhook.deliveries.count(2);
    const [first, again] = webhook.deliveries.all;
    if (first === undefined || again === undefined) throw new Error('It did not arrive twice.');
    expect(again.body.equals(first.body)).toBe(true);
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(isAuthentic(again, webhook.secret)).toBe(true);
    expect(
      new Webhook(webhook.secret).verify(again.body.toString(), { ...again.headers }),
    ).toMatchObject({ id: document.id });
    const delivery = await webhook.deliveryThat(event, ({ attempts }) => attempts.length === 2);
    expect(delivery).toMatchObject({
      deliveredAt: document.deliveredAt,
      attempts: [
        { number: 1, trigger: 'event' },
        { number: 2, trigger: 'manual', outcome: 'delivered', statusCode: 200 },
      ],
    });
  });

  it('waits while the webhook is failed, and is sent after the recovery', async () => {
    const path = '/resent-while-failed';
    const webhook = await CustomerWebhook.at(receiver, path);
    const [older, arrived] = webhook.customer.sampleEvents(2);
    if (older === undefined || arrived === undefined) throw new Error('There are no events.');
    await webhook.customer.publish(arrived);
    await webhook.deliveryThat(arrived, ({ outcome }) => outcome === 'delivered');
    receiver.behave(path, answer(500));
    await webhook.customer.publish(older);
    await webhook.becomes('failed');

    expect((await webhook.post(`/deliveries/${arrived.id}/resend`)).status).toBe(202);

    const waiting = await webhook.deliveryThat(arrived, ({ isPending }) => isPending);
    expect(waiting).toMatchObject({ outcome: 'delivered' });
    expect(waiting.attempts).toHaveLength(1);
    receiver.behave(path, answer(204));
    await endHour(webhook);
    await webhook.becomes('active');
    const again = await webhook.deliveryThat(
      arrived,
      ({ attempts, isPending }) => attempts.length === 2 && !isPending,
    );
    expect(again).toMatchObject({
      deliveredAt: waiting.deliveredAt,
      latestAttempt: { number: 2, trigger: 'manual', outcome: 'delivered' },
    });
    expect(webhook.deliveries.all.filter(carries(arrived))).toHaveLength(2);
  });
});
