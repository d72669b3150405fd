import { describe, expect, it } from 'vitest';
import { CustomerWebhook, eventOfDelivery } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import type { SampleEvent } from '../support/journey/platform-of.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { carries } from '../support/receiver/received-deliveries.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

const idsOf = (events: readonly SampleEvent[]): string[] => events.map(({ id }) => id);

const BACK_OFF_LONG = { headers: { 'Retry-After': 8 } };

/** A webhook whose log has deliveries of every outcome, and which is failed. */
const mixedLog = async (path: string) => {
  const webhook = await CustomerWebhook.at(receiver, path);
  const { customer } = webhook;
  const [refused, ...others] = customer.sampleEvents(7);
  if (refused === undefined) throw new Error('There is no event.');
  const delivered = others
    .slice(0, 3)
    .map((event, index) => ({ ...event, type: index === 0 ? 'message.delivered' : event.type }));
  const backingOff = others.slice(3, 5);
  const waiting = others.slice(5);
  receiver.behave(path, (connection, request) => {
    if (backingOff.some((event) => carries(event)(request))) {
      return answer(504, BACK_OFF_LONG)(connection, request);
    }
    return answer(carries(refused)(request) ? 500 : 204)(connection, request);
  });
  await customer.publish(...delivered, ...backingOff);
  const attempted = [...delivered, ...backingOff];
  for (const event of attempted) await webhook.deliveryThat(event, (it) => 'outcome' in it);
  await customer.publish(refused);
  await webhook.becomes('failed');
  await customer.publish(...waiting);
  for (const event of waiting) await webhook.deliveryThat(event, ({ isPending }) => isPending);
  return { webhook, refused, delivered, backingOff, waiting };
};

const someEvents = async (path: string, count: number) => {
  const webhook = await CustomerWebhook.at(receiver, path);
  const events = webhook.customer.sampleEvents(count);
  await webhook.customer.publish(...events);
  const isDelivered = '?outcome=delivered&limit=100';
  await eventually(
    () => webhook.listed(isDelivered),
    ({ length }) => length === count,
  );
  return { webhook, events, newestFirst: idsOf(events).toReversed() };
};

describe.concurrent('The delivery log', () => {
  it('lists the newest first, page by page, each delivery once', async () => {
    const { webhook, newestFirst } = await someEvents('/pages', 27);

    const pages = await webhook.pages(`${webhook.id}/deliveries?limit=10&outcome=delivered`);

    expect(pages.flatMap(({ member }) => member.map(eventOfDelivery))).toEqual(newestFirst);
    expect(pages.slice(0, 3).map(({ member }) => member.length)).toEqual([10, 10, 7]);
    expect(pages[0]?.view.next).toMatch(
      new RegExp(`^${webhook.id}/deliveries\\?outcome=delivered&limit=10&cursor=[\\w-]+$`),
    );
    expect(await webhook.page(`${webhook.id}/deliveries?limit=100`)).toMatchObject({
      totalItems: 27,
      member: newestFirst.map((event) => ({
        id: `${webhook.id}/deliveries/${event}`,
        integration: webhook.id,
        eventType: 'message.received',
        outcome: 'delivered',
        latestAttempt: { number: 1, trigger: 'event', outcome: 'delivered', statusCode: 200 },
      })),
    });
  });

  it('goes on where a page ended when newer events have come meanwhile', async () => {
    const { webhook, newestFirst } = await someEvents('/grows', 6);
    const first = await webhook.page(`${webhook.id}/deliveries?limit=4`);
    const newer = webhook.customer.sampleEvent({ occurredAt: '2026-11-20T13:00:00.000Z' });
    await webhook.customer.publish(newer);
    await webhook.deliveryThat(newer, ({ outcome }) => outcome === 'delivered');

    const rest = await webhook.pages(String(first.view.next));

    const pages = [first, ...rest];
    expect(pages.flatMap(({ member }) => member.map(eventOfDelivery))).toEqual(newestFirst);
    expect(await webhook.listed()).toEqual([newer.id, ...newestFirst]);
  });

  it('is filtered by when events occurred: from since on, until before until', async () => {
    const { webhook, events, newestFirst } = await someEvents('/times', 8);
    const at = (index: number) => encodeURIComponent(String(events[index]?.occurredAt));

    const since = await webhook.listed(`?since=${at(5)}`);
    const until = await webhook.listed(`?until=${at(5)}`);
    const both = await webhook.listed(`?since=${at(2)}&until=${at(6)}&limit=3`);
    // 12:00:05Z with another offset.
    const elsewhere = await webhook.listed('?since=2026-11-20T13:00:05%2B01:00');

    expect(since).toEqual(newestFirst.slice(0, 3));
    expect(until).toEqual(newestFirst.slice(3));
    expect(both).toEqual(newestFirst.slice(2, 6));
    expect(elsewhere).toEqual(since);
  });

  it('is filtered by outcome and by type', async () => {
    const { webhook, refused, delivered, backingOff, waiting } = await mixedLog('/filters');

    expect(await webhook.listed('?outcome=delivered')).toEqual(idsOf(delivered).toReversed());
    expect(await webhook.listed('?outcome=transient')).toEqual(idsOf(backingOff).toReversed());
    expect(await webhook.listed('?outcome=fatal')).toEqual([refused.id]);
    expect(await webhook.listed('?eventType=message.delivered')).toEqual([delivered[0]?.id]);
    expect(await webhook.listed('?eventType=message.delivered&outcome=fatal')).toEqual([]);
    expect(await webhook.listed('?eventType=contact.created')).toEqual([]);
    expect(await webhook.listed()).toEqual(
      idsOf([refused, ...delivered, ...backingOff, ...waiting]).toReversed(),
    );
  });

  it('has what waits without an attempt, too', async () => {
    const { webhook, waiting } = await mixedLog('/waiting');
    const [event] = waiting;
    if (event === undefined) throw new Error('Nothing waits.');

    const delivery = await webhook.delivery(event);
    const { member } = await webhook.page(`${webhook.id}/deliveries?limit=1`);

    expect(delivery).toMatchObject({ isPending: true, attempts: [], occurredAt: event.occurredAt });
    expect(JSON.parse(String(delivery.body))).toMatchObject({ data: event.data });
    expect(member.map(eventOfDelivery)).toEqual([waiting.at(-1)?.id]);
    for (const shown of [delivery, ...member]) {
      expect(shown).not.toHaveProperty('outcome');
      expect(shown).not.toHaveProperty('latestAttempt');
      expect(shown).not.toHaveProperty('deliveredAt');
    }
  });
});

describe.concurrent('The pending events of a failed integration', () => {
  it('are counted and listed oldest first, page by page', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/pending', { behaves: [answer(500)] });
    const [first, ...later] = webhook.customer.sampleEvents(26);
    if (first === undefined) throw new Error('There is no event.');
    await webhook.customer.publish(first);
    await webhook.becomes('failed');
    await webhook.customer.publish(...later.toReversed());
    const everything = [first, ...later];
    const firstPage = `${webhook.id}/pending-events?limit=11`;
    await eventually(
      () => webhook.page(firstPage),
      ({ totalItems }) => totalItems === everything.length,
    );

    const pages = await webhook.pages(firstPage);

    expect(pages.map(({ member }) => member.length)).toEqual([11, 11, 4]);
    const members = pages.flatMap(({ member }) => member);
    expect(members.map(eventOfDelivery)).toEqual(idsOf(everything));
    expect(new Set(members.map(({ isPending }) => isPending))).toEqual(new Set([true]));

    receiver.behave('/pending', answer(204));
    await webhook.becomes('active');
    await webhook.deliveries.each(everything);
    const none = await eventually(
      () => webhook.page(`${webhook.id}/pending-events`),
      ({ totalItems }) => totalItems === 0,
    );
    expect(none).toMatchObject({
      member: [],
      view: { id: `${webhook.id}/pending-events?limit=20` },
    });
  });
});
