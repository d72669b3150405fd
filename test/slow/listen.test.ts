import { startHttpServer } from 'local-aws/http-server.ts';
import { Webhook } from 'standardwebhooks';
import { describe, expect, inject, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { newEventId, type SampleEvent } from '../support/journey/platform-of.ts';
import {
  agoText,
  eventsOf,
  happen,
  idsOf,
  LISTENS,
  listenLocally,
  MINUTE_MS,
} from '../support/listen/listen-locally.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { eventOf, isAuthentic } from '../support/receiver/received-deliveries.ts';
import { answer, reset, upgrade } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();
const { listen, local, listenTo } = await listenLocally(inject('service').api);

describe.concurrent('listen.mjs', () => {
  it('posts each new event once, over HTTP and to a self-signed address', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/new');
    const [before, ...events] = eventsOf(webhook, 4) as [SampleEvent, ...SampleEvent[]];
    await happen(webhook, [before]);
    const plain: string[] = [];
    const server = await startHttpServer({
      handle: (request) => {
        plain.push(String(request.headers['webhook-id']).split('/').at(-1) ?? '');
        return 200;
      },
    });
    const { run, posted } = listenTo(webhook, { path: '/new' });
    const overHttp = listen(['--to', `${server.origin}/new`, '--integration', webhook.id], {
      token: webhook.customer.tokens.member,
      secret: webhook.secret,
    });
    await Promise.all([run.prints(LISTENS), overHttp.prints(LISTENS)]);

    const exact = `{"id":"${newEventId()}","type":"message.received","account":"${webhook.customer.account}",
      "occurredAt":"${agoText(-10)}","data":{"message":{"body":"Zoë 😀\u2028","big":12345678901234567890,"one":1.10}}}`;
    await webhook.customer.publish(...events);
    await webhook.customer.publishText(exact);
    const all = [...idsOf(events), JSON.parse(exact).id];
    await posted.count(4);
    await run.prints(' 200 OK  ', 4);
    await overHttp.prints(' 200 OK  ', 4);
    await webhook.deliveries.count(5);

    expect(posted.events.toSorted()).toEqual(all.toSorted());
    expect(plain.toSorted()).toEqual(all.toSorted());
    const sent = new Map(webhook.deliveries.all.map((request) => [eventOf(request), request]));
    for (const request of posted.all) {
      const original = sent.get(eventOf(request));
      expect(request.body).toEqual(original?.body);
      for (const name of [
        'content-type',
        'accept',
        'accept-encoding',
        'user-agent',
        'x-service-signature',
        'webhook-id',
      ]) {
        expect(request.headers[name]).toBe(original?.headers[name]);
      }
      expect(isAuthentic(request, webhook.secret)).toBe(true);
      const verify = () =>
        new Webhook(webhook.secret).verify(request.body.toString(), request.headers);
      expect(verify).not.toThrow();
    }
    expect(
      posted.all.some(({ body }) => body.includes('"big":12345678901234567890,"one":1.10')),
    ).toBe(true);
    await server.close();
  });

  it('shows the events of a failed integration, which are pending', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/fails', { behaves: [answer(500)] });
    const { run, posted } = listenTo(webhook, { path: '/fails' });
    await run.prints(LISTENS);
    const [first, ...waiting] = eventsOf(webhook, 3) as [SampleEvent, ...SampleEvent[]];
    await webhook.customer.publish(first);
    await webhook.becomes('failed');
    await webhook.customer.publish(...waiting);

    await posted.each([first, ...waiting]);

    expect(posted.events.toSorted()).toEqual(idsOf([first, ...waiting]).toSorted());
  });

  it('posts events of the types of --events alone, and refuses other names', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/events', {
      actions: { 'message.received': true, 'contact.created': true, 'contact.opted_in': true },
    });
    const types = ['message.received', 'contact.opted_in', 'contact.created'] as const;
    const events = types.map((type) =>
      webhook.customer.sampleEvent({ type, occurredAt: agoText(0) }),
    );
    await happen(webhook, events);
    const words = ['--since', '1h', '--events', 'contact.created,message.received,message.failed'];
    const { run, posted } = listenTo(webhook, { path: '/events', words });
    await run.prints(' 200 OK  ', 2);
    const unknown = listenTo(webhook, { path: '/events', words: ['--events', 'message.recieved'] });

    expect(posted.events.toSorted()).toEqual(
      idsOf(events.filter(({ type }) => type !== 'contact.opted_in')).toSorted(),
    );
    expect(run.output).toContain('The webhook is not subscribed to message.failed.');
    expect(await unknown.run.exitCode).toBe(2);
    expect(unknown.run.output).toMatch(/message\.recieved is not one of message\.received, /);
  });

  it('posts with --undelivered only what the integration did not get', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/undelivered');
    const [delivered, refused, waiting] = eventsOf(webhook, 3) as SampleEvent[] as [
      SampleEvent,
      SampleEvent,
      SampleEvent,
    ];
    await webhook.customer.publish(delivered);
    await webhook.deliveries.count(1);
    receiver.behave('/listen/undelivered', answer(500));
    await webhook.customer.publish(refused);
    await webhook.becomes('failed');
    await happen(webhook, [waiting]);

    const words = ['--since', '1h', '--undelivered'];
    const { posted } = listenTo(webhook, { path: '/undelivered', words });

    await posted.each([refused, waiting]);
    expect(posted.events).toEqual(idsOf([refused, waiting]));
  });

  it('posts past events since --since, oldest first, and resumes', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/since');
    const tooOld = eventsOf(webhook, 1, { agoMs: 9 * 60 * MINUTE_MS });
    const hoursAgo = eventsOf(webhook, 2, { agoMs: 7 * 60 * MINUTE_MS });
    const now = eventsOf(webhook, 101);
    await happen(webhook, [...now, ...hoursAgo, ...tooOld]);
    const past = [...hoursAgo, ...now];
    const { run, posted } = listenTo(webhook, { path: '/since', words: ['--since', '8h'] });
    await run.prints(' 200 OK  ', past.length);

    const since = await run.interrupt();
    expect(await run.exitCode).toBe(0);
    expect(run.output).toContain('Received 103 events. Go on with --since ');
    expect(posted.events).toEqual(idsOf(past));

    const later = eventsOf(webhook, 2, { agoMs: -1 });
    await happen(webhook, later);
    const { posted: again } = listenTo(webhook, { path: '/again', words: ['--since', since] });
    await again.each(later);
    expect(again.events).toEqual(idsOf(later));
  });

  it('posts an event until there is an answer, and later ones after it', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/tries');
    const events = eventsOf(webhook, 2) as [SampleEvent, SampleEvent];
    await happen(webhook, events);
    local.behave('/tries', reset, reset, answer(503));
    const { run, posted } = listenTo(webhook, { path: '/tries', words: ['--since', '1m'] });
    await run.prints(' 503 Service Unavailable  ', 2);

    const [first, second] = idsOf(events);
    expect(posted.events).toEqual([first, first, first, second]);
    expect(
      run.output.match(/No answer at .*: ECONNRESET\. Trying again; later events wait\./g),
    ).toHaveLength(1);
  });

  it('takes 101 as the answer, and goes on', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/switches');
    const events = eventsOf(webhook, 2) as [SampleEvent, SampleEvent];
    await happen(webhook, events);
    local.behave('/switches', upgrade, answer(204));
    const { run, posted } = listenTo(webhook, { path: '/switches', words: ['--since', '1m'] });
    await run.prints(`${events[0].id}  101 Switching Protocols  `);
    await run.prints(`${events[1].id}  204 No Content  `);

    expect(posted.events).toEqual(idsOf(events));
  });

  it('stops where it is when there is no answer for too long', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/stops');
    const events = eventsOf(webhook, 2) as [SampleEvent, SampleEvent];
    await happen(webhook, events);
    local.behave('/stops', answer(204), reset);
    const words = ['--since', '1m', '--tries', '2'];
    const { run } = listenTo(webhook, { path: '/stops', words });

    expect(await run.exitCode).toBe(1);
    expect(run.output).toContain('That was try 2, the last one.');
    expect(run.output).toContain(`Received 1 event. Go on with --since ${events[1].occurredAt}`);
  });
});

describe('What listen.mjs prints', () => {
  it('has neither the token, nor the secret, nor bodies', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/quiet');
    const [event] = eventsOf(webhook, 1) as [SampleEvent];
    await happen(webhook, [event]);
    const { run } = listenTo(webhook, { path: '/quiet?key=mine', words: ['--since', '1m'] });
    await run.prints(event.id);
    await run.interrupt();

    expect(run.output).toContain(`${LISTENS} ${webhook.bareId} (active) to https://localhost:`);
    for (const hidden of [
      webhook.customer.tokens.member,
      webhook.secret,
      'mine',
      event.data.message.body,
    ]) {
      expect(run.output).not.toContain(hidden);
    }
  });
});
