import { describe, expect, it } from 'vitest';
import { createDelivery, MAX_BODY_BYTES } from '../../core/delivery/route-event.ts';
import { parseEvent } from '../../core/event/event.ts';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const DURATION = expect.toSatisfy(Number.isInteger);

/** The size of the webhook body of an event. */
const bodyBytesOf = (event: object, { bareId }: CustomerWebhook): number =>
  Buffer.byteLength(createDelivery(parseEvent(JSON.stringify(event)), bareId).body);

/** Milliseconds since 1970. */
const at = (instant: string | undefined): number => Date.parse(String(instant));

describe.concurrent('A delivery', () => {
  it('shows each attempt with its trigger, its answer and the next one', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/attempts', {
      behaves: [
        answer(504, { body: 'busy' }),
        answer(504, { body: 'still busy', headers: { 'Retry-After': 3 } }),
        answer(202, { body: 'thanks' }),
      ],
    });
    const event = webhook.customer.sampleEvent();

    await webhook.customer.publish(event);

    const delivery = await webhook.deliveryThat(event, ({ outcome }) => outcome === 'delivered');
    const attempt = { '@type': 'Attempt', startedAt: INSTANT, durationMs: DURATION };
    const explanation = '/reasons/status-504';
    const failed = {
      ...attempt,
      outcome: 'transient',
      statusCode: 504,
      explanation,
      nextAttemptAt: INSTANT,
    };
    const succeeded = { ...attempt, outcome: 'delivered', statusCode: 202 };
    expect(delivery).toEqual({
      '@context': '/contexts/Delivery.jsonld',
      '@type': 'Delivery',
      id: `${webhook.id}/deliveries/${event.id}`,
      integration: webhook.id,
      eventType: event.type,
      occurredAt: event.occurredAt,
      outcome: 'delivered',
      deliveredAt: INSTANT,
      isPending: false,
      isSetAside: false,
      body: webhook.deliveries.all[0]?.body.toString(),
      latestAttempt: { ...succeeded, number: 3, trigger: 'backoff' },
      attempts: [
        { ...failed, number: 1, trigger: 'event', response: 'busy' },
        { ...failed, number: 2, trigger: 'backoff', response: 'still busy' },
        { ...succeeded, number: 3, trigger: 'backoff', response: 'thanks' },
      ],
    });
    const [first, second, third] = delivery.attempts;
    const delays = [
      at(first?.nextAttemptAt) - at(first?.startedAt) - Number(first?.durationMs),
      at(second?.nextAttemptAt) - at(second?.startedAt) - Number(second?.durationMs),
    ];
    expect(Math.abs((delays[0] ?? 0) - 1_000)).toBeLessThanOrEqual(201);
    expect(delays[1]).toBe(3_000);
    expect(at(second?.startedAt)).toBeGreaterThanOrEqual(at(first?.nextAttemptAt));
    expect(at(third?.startedAt)).toBeGreaterThanOrEqual(at(second?.nextAttemptAt));
    expect(at(delivery.deliveredAt)).toBe(at(third?.startedAt) + Number(third?.durationMs));
  });

  it('has its body if that is of the largest size, and it can be sent again', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/large');
    const { id } = webhook.customer.sampleEvent();
    const eventOf = (text: string) =>
      webhook.customer.sampleEvent({ id, data: { message: { id: 'msg_1', body: text } } });
    const text = 'Straße 👋 — '.repeat(14_000);
    const event = eventOf(
      text.padEnd(text.length + MAX_BODY_BYTES - bodyBytesOf(eventOf(text), webhook)),
    );

    await webhook.customer.publish(event);
    const delivery = await webhook.deliveryThat(event, ({ outcome }) => outcome === 'delivered');
    await webhook.post(`/deliveries/${event.id}/resend`);
    await webhook.deliveries.count(2);

    const kept = Buffer.from(String(delivery.body));
    expect(kept.byteLength).toBe(MAX_BODY_BYTES);
    expect(webhook.deliveries.all.map(({ body }) => body.equals(kept))).toEqual([true, true]);
    expect(JSON.parse(String(delivery.body)).data).toEqual(event.data);
  });
});
