import { describe, expect, it } from 'vitest';
import type { StatisticsResource } from '../../core/delivery/statistics/statistics-resource.ts';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import type { SampleEvent } from '../support/journey/platform-of.ts';
import { endHour } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

const idsOf = (events: readonly SampleEvent[]): string[] => events.map(({ id }) => id);

describe.concurrent('A search of the delivery log', () => {
  it('finds what was sent about a message, and nothing else', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/about', { behaves: [answer(204)] });
    const [received, other, delivered, waiting] = webhook.customer
      .sampleEvents(4)
      .map((event, index) => ({
        ...event,
        data: { message: { id: index === 1 ? 'msg_other' : 'msg_1', body: 'Hello' } },
      })) as [SampleEvent, SampleEvent, SampleEvent, SampleEvent];
    await webhook.customer.publish(received, other);
    await webhook.deliveries.each([received, other]);
    receiver.behave('/about', answer(500));
    await webhook.customer.publish({ ...delivered, type: 'message.delivered' });
    await webhook.becomes('failed');
    await webhook.customer.publish(waiting);

    const about = (query: string) => webhook.found(`integration=${webhook.bareId}&about=${query}`);
    const all = [waiting, delivered, received];
    expect(
      await eventually(
        () => about('msg_1'),
        ({ length }) => length === all.length,
      ),
    ).toEqual(idsOf(all));
    expect(await about('msg_1&limit=1')).toEqual(idsOf(all));
    expect(await about('msg_1&eventType=message.delivered')).toEqual([delivered.id]);
    expect(await about('msg_1&outcome=delivered')).toEqual([received.id]);
    expect(await about(`msg_1&until=${delivered.occurredAt}`)).toEqual([received.id]);
    expect(
      await eventually(
        () => about('msg_other'),
        ({ length }) => length > 0,
      ),
    ).toEqual([other.id]);
    expect(await about('msg_none')).toEqual([]);
  });
});

const OUTCOMES = ['delivered', 'transient', 'fatal'] as const;

type Counts = Readonly<Record<(typeof OUTCOMES)[number], number>>;

const sumOf = (periods: readonly Counts[]): Counts => ({
  delivered: periods.reduce((sum, { delivered }) => sum + delivered, 0),
  transient: periods.reduce((sum, { transient }) => sum + transient, 0),
  fatal: periods.reduce((sum, { fatal }) => sum + fatal, 0),
});

const read = async (webhook: CustomerWebhook): Promise<StatisticsResource> => {
  const { status, document } = await webhook.customer.call('GET', `${webhook.id}/statistics`);
  expect(status).toBe(200);
  return document as unknown as StatisticsResource;
};

/** Reads the statistics until they satisfy the condition. */
const readUntil = (
  webhook: CustomerWebhook,
  satisfy: (statistics: StatisticsResource) => boolean,
): Promise<StatisticsResource> => eventually(() => read(webhook), satisfy, { betweenReadsMs: 100 });

/** The attempts that the delivery log has of events, by outcome. */
const loggedAttempts = async (
  webhook: CustomerWebhook,
  events: readonly { id: string }[],
): Promise<Counts> => {
  const deliveries = await Promise.all(events.map((event) => webhook.delivery(event)));
  const outcomes = deliveries.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome));
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  return {
    delivered: count('delivered'),
    transient: count('transient'),
    fatal: count('fatal'),
  };
};

describe.concurrent('The statistics of an integration', () => {
  it('count what was delivered and what failed, each attempt once', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/counted', { behaves: [answer(204)] });
    const events = webhook.customer.sampleEvents(6);
    await webhook.customer.publish(...events.slice(0, 3));
    await webhook.deliveries.each(events.slice(0, 3));
    await readUntil(webhook, ({ hours }) => sumOf(hours).delivered === 3);

    receiver.behave('/counted', answer(500));
    await webhook.customer.publish(...events.slice(3, 4));
    await webhook.becomes('failed');
    await webhook.customer.publish(...events.slice(4));
    const failed = await readUntil(
      webhook,
      ({ hours, pendingEvents }) => sumOf(hours).fatal > 0 && pendingEvents === 3,
    );
    expect(sumOf(failed.hours).delivered).toBe(3);

    receiver.behave('/counted', answer(204));
    await endHour(webhook);
    await webhook.becomes('active');
    await webhook.deliveries.each(events);
    const last = await readUntil(
      webhook,
      ({ hours, pendingEvents }) => sumOf(hours).delivered === 6 && pendingEvents === 0,
    );

    expect(sumOf(last.hours)).toEqual(await loggedAttempts(webhook, events));
    expect(sumOf(last.days)).toEqual(sumOf(last.hours));
    const attempted = last.hours.filter((hour) => OUTCOMES.some((outcome) => hour[outcome] > 0));
    for (const { p95Ms } of attempted) expect(p95Ms).toBeGreaterThan(0);
  });

  it('count what the filter kept back, which is neither sent nor logged', async () => {
    const filter = { message: { direction: ['in'] } };
    const webhook = await CustomerWebhook.at(receiver, '/filtering', { filter });
    const [sent, ...keptBack] = webhook.customer
      .sampleEvents(3)
      .map((event, at) =>
        at === 0 ? event : { ...event, data: { message: { direction: 'out' } } },
      );
    if (sent === undefined) throw new Error('There is no event.');
    await webhook.customer.publish(sent, ...keptBack);

    await readUntil(
      webhook,
      ({ last24Hours: { deliveredEvents, filteredEvents } }) =>
        deliveredEvents === 1 && filteredEvents === keptBack.length,
    );
    expect(webhook.deliveries.all.map(({ body }) => JSON.parse(String(body)).id)).toEqual([
      expect.stringContaining(sent.id),
    ]);
  });
});
