import { describe, expect, it } from 'vitest';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { attemptsOf, endHour, pendingOf, schedulesOf } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { DeliveriesTo, isAuthentic } from '../support/receiver/received-deliveries.ts';
import {
  answer,
  type Behaviour,
  redirect,
  upgrade,
} from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

interface Failure {
  since: string;
  statusCode?: number;
  lastAttemptAt: string;
  nextAttemptAt: string;
}

/** A webhook that its first event has failed. */
const failedWebhook = async (path: string, behaviour: Behaviour = answer(500)) => {
  const customer = await newCustomer();
  receiver.behave(path, behaviour);
  const deliveries = new DeliveriesTo(receiver, path);
  const webhook = await customer.register(receiver.url(path));
  const [first, ...later] = customer.sampleEvents(31);
  if (first === undefined) throw new Error('There is no event.');
  await customer.publish(first);
  const read = async () => (await customer.call('GET', webhook.id)).document;
  const shown = await eventually(read, ({ status }) => status === 'failed');
  return { ...webhook, customer, deliveries, first, later, read, shown };
};

const isPending =
  (events: readonly { id: string }[]) =>
  (pending: readonly string[]): boolean =>
    events.every(({ id }) => pending.includes(id));

const unconfirmed: [what: string, statusCode: number, Behaviour][] = [
  ['answers 500', 500, answer(500)],
  ['answers 404', 404, answer(404)],
  ['redirects', 302, redirect('https://127.0.0.1:1/elsewhere')],
  ['switches protocols', 101, upgrade],
];

describe.concurrent('An endpoint that', () => {
  it.each(unconfirmed)(
    '%s fails its integration, which the API shows',
    async (_what, statusCode, behaviour) => {
      const { bareId, shown } = await failedWebhook(`/fails/${statusCode}`, behaviour);

      const failure = shown.failure as Failure;
      expect(shown).toMatchObject({ active: true, status: 'failed', isHealthy: false });
      expect(failure).toEqual({
        statusCode,
        since: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        lastAttemptAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        nextAttemptAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      });
      expect(Date.parse(failure.nextAttemptAt)).toBeGreaterThan(Date.parse(failure.lastAttemptAt));
      expect(await schedulesOf(bareId)).toHaveLength(1);
    },
  );
});

describe.concurrent('A failed integration', () => {
  it('is retried after an hour, and stays failed after any error', async () => {
    const webhook = await failedWebhook('/hourly');
    const { bareId, customer, deliveries, first, later, read, shown } = webhook;
    receiver.behave('/hourly', answer(504), answer(410));
    await customer.publish(...later);
    await eventually(() => pendingOf(bareId), isPending([first, ...later]));

    await endHour(webhook);
    await deliveries.count(3);

    const log = await eventually(
      () => attemptsOf(bareId),
      (attempts) => attempts.length >= 3,
    );
    const [made, ...retries] = log
      .slice(0, 3)
      .map(({ eventId, trigger, statusCode }) => ({ eventId, trigger, statusCode }));
    expect(made).toEqual({ eventId: first.id, trigger: 'event', statusCode: 500 });
    expect(retries.map(({ trigger, statusCode }) => [trigger, statusCode])).toEqual([
      ['hourly', 504],
      ['hourly', 410],
    ]);
    // The pending events take turns.
    expect(new Set(retries.map(({ eventId }) => eventId)).size).toBe(2);
    const { failure } = await eventually(
      read,
      (document) => (document.failure as Failure).statusCode === 410,
    );
    const before = shown.failure as Failure;
    const after = failure as Failure;
    expect(after.since).toBe(before.since);
    expect(after.lastAttemptAt > before.lastAttemptAt).toBe(true);
    // The test has ended the hour early.
    expect(after.nextAttemptAt > after.lastAttemptAt).toBe(true);
    expect(await pendingOf(bareId)).toEqual([first, ...later].map(({ id }) => id));
  });

  it('is active after a confirmed hourly retry, and replays its events', async () => {
    const webhook = await failedWebhook('/recovers');
    const { bareId, customer, deliveries, first, later, read, secret } = webhook;
    await customer.publish(...later);
    await eventually(() => pendingOf(bareId), isPending(later));
    const original = deliveries.all.find(({ body }) => body.includes(first.id))?.body;

    receiver.behave('/recovers', answer(200));
    const confirmed = new DeliveriesTo(receiver, '/recovers');
    await endHour(webhook);
    await confirmed.each([first, ...later]);

    expect(confirmed.all.find(({ body }) => body.includes(first.id))?.body).toEqual(original);
    expect(confirmed.all.filter((request) => !isAuthentic(request, secret))).toEqual([]);
    const healthy = await eventually(read, ({ status }) => status === 'active');
    expect(healthy).toMatchObject({ isHealthy: true });
    expect(healthy).not.toHaveProperty('failure');
    await eventually(
      () => pendingOf(bareId),
      (pending) => pending.length === 0,
    );
    await endHour(webhook);
    await eventually(
      () => schedulesOf(bareId),
      (schedules) => schedules.length === 0,
    );
    const log = await eventually(
      () => attemptsOf(bareId),
      (attempts) => attempts.filter(({ trigger }) => trigger === 'replay').length >= later.length,
    );
    expect(log.slice(0, 2).map(({ trigger, outcome }) => [trigger, outcome])).toEqual([
      ['event', 'fatal'],
      ['hourly', 'delivered'],
    ]);
    expect(new Set(log.slice(2).map(({ trigger }) => trigger))).toEqual(new Set(['replay']));
  });
});
