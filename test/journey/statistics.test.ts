import { describe, expect, it } from 'vitest';
import type { StatisticsResource } from '../../core/delivery/statistics/statistics-resource.ts';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

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

  it('count each attempt of a delivery that backs off', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/backing-off', {
      behaves: [answer(504), answer(504), answer(204)],
    });
    const events = webhook.customer.sampleEvents(1);
    await webhook.customer.publish(...events);

    const { hours } = await readUntil(webhook, (read) => sumOf(read.hours).delivered === 1);

    expect(sumOf(hours)).toEqual({ delivered: 1, transient: 2, fatal: 0 });
  });

  it('leave tests out', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/tested', { behaves: [answer(204)] });
    await webhook.post('/test', { eventType: 'message.received' });
    const events = webhook.customer.sampleEvents(1);
    await webhook.customer.publish(...events);

    const { hours } = await readUntil(webhook, (read) => sumOf(read.hours).delivered > 0);

    expect(sumOf(hours)).toEqual({ delivered: 1, transient: 0, fatal: 0 });
  });
});
