import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { startHttpServer } from '../../local/http-server.ts';
import { createAuthority } from '../support/certificates.ts';
import { CustomerWebhook, newCustomer } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { newEventId, type SampleEvent } from '../support/journey/platform-of.ts';
import { downloadListen, type Listening } from '../support/listen/listening.ts';
import {
  anotherPage,
  cutOff,
  dropConnection,
  endEarly,
  type Fault,
  refuseWith,
  startUnreliableApi,
} from '../support/listen/unreliable-api.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';
import { DeliveriesTo, eventOf, isAuthentic } from '../support/receiver/received-deliveries.ts';
import { answer, reset } from '../support/receiver/receiver-behaviours.ts';

const { api } = inject('service');
const receiver = await receiverOfFile();
const listen = await downloadListen(api);

/** A developer's own server, with a certificate that nobody vouches for. */
const local = await MisbehavingReceiver.start(await (await createAuthority()).selfSigned());
afterAll(() => local.close());

const MINUTE_MS = 60_000;

const agoText = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** Events of a customer, each a millisecond after the one before, that happened so long ago. */
const eventsOf = ({ customer }: CustomerWebhook, count: number, { agoMs = 0 } = {}) =>
  Array.from({ length: count }, (_, index) =>
    customer.sampleEvent({ occurredAt: agoText(agoMs - index) }),
  );

const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id);

interface Wishes {
  readonly path: string;
  readonly words?: readonly string[];
  readonly at?: string;
}

const listenTo = (
  { customer, bareId, secret }: CustomerWebhook,
  { path, words = [], at }: Wishes,
): { run: Listening; posted: DeliveriesTo } => {
  const run = listen({
    words: [
      ...['--to', local.url(path, 'localhost'), '--integration', bareId, ...words],
      ...(at === undefined ? [] : ['--api', at]),
    ],
    token: customer.tokens.member,
    secret,
  });
  return { run, posted: new DeliveriesTo(local, path) };
};

/** Publishes the events, and resolves when they are in the log. */
const happen = async (webhook: CustomerWebhook, events: readonly SampleEvent[]) => {
  await webhook.customer.publish(...events);
  for (const event of events) await webhook.deliveryThat(event, () => true);
};

const LISTENS = 'Posting the events of integration';

describe.concurrent('listen.mjs', () => {
  it('posts each new event once, as the service sends it, over HTTP and to a self-signed address', async () => {
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
    const overHttp = listen({
      words: ['--to', `${server.origin}/new`, '--integration', webhook.id],
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
      for (const name of ['content-type', 'user-agent', 'x-service-signature', 'webhook-id']) {
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

  it('shows the events of a failed integration, which wait without an attempt', async () => {
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

  it('shows the events of an integration whose address does not exist', async () => {
    const customer = await newCustomer();
    const { bareId, secret } = await customer.register('https://nowhere.invalid/hooks');
    const run = listen({
      words: ['--to', local.url('/nowhere'), '--integration', bareId],
      token: customer.tokens.member,
      secret,
    });
    await run.prints(LISTENS);
    const event = customer.sampleEvent({ occurredAt: agoText(0) });
    await customer.publish(event);

    await run.prints(`message.received  ${event.id}  200 OK`);
    await customer.call('DELETE', `/integrations/${bareId}`);
  });

  it('goes through the past by --since, oldest first, and on from where it was stopped', async () => {
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

  it('posts an event again until there is an answer, and later events after it', async () => {
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

describe.concurrent('listen.mjs with a connection that', () => {
  it('fails in every way misses nothing and posts nothing twice', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/flaky');
    const faults: Fault[] = [
      dropConnection,
      refuseWith(500),
      refuseWith(429, { 'Retry-After': '3' }),
      cutOff,
      endEarly,
      anotherPage,
      refuseWith(504),
    ];
    // Every second request fails.
    const flaky = await startUnreliableApi(api, (_path, number) =>
      number % 2 === 0 ? undefined : faults[((number - 1) / 2) % faults.length],
    );
    const { run, posted } = listenTo(webhook, { path: '/flaky', at: flaky.address });
    await run.prints(LISTENS);
    const events = eventsOf(webhook, 8);
    for (const event of events) await webhook.customer.publish(event);
    await posted.each(events);
    const looks = flaky.requests.length + 8;
    await eventually(
      async () => flaky.requests.length,
      (count) => count > looks,
    );

    expect(posted.events.toSorted()).toEqual(idsOf(events).toSorted());
    expect(run.output).toContain('No answer of the API: it answers 429. Next try in 3 s.');
    const told = JSON.stringify(flaky.requests);
    expect(told).toContain(webhook.customer.tokens.member);
    expect(told).not.toContain(webhook.secret);
  });

  it('was gone for long also posts what was listed late meanwhile', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/late');
    let isGone = false;
    const flaky = await startUnreliableApi(api, () => (isGone ? dropConnection : undefined));
    const [old] = eventsOf(webhook, 1, { agoMs: 50 * MINUTE_MS });
    const { run, posted } = listenTo(webhook, {
      path: '/late',
      words: ['--since', '70m'],
      at: flaky.address,
    });
    await run.prints(LISTENS);
    const [first] = eventsOf(webhook, 1);
    await happen(webhook, [first] as SampleEvent[]);
    await posted.count(1);

    isGone = true;
    await happen(webhook, [old] as SampleEvent[]);
    flaky.setClockAhead(80 * MINUTE_MS);
    isGone = false;
    await posted.count(2);

    expect(posted.events).toEqual(idsOf([first, old] as SampleEvent[]));
  });
});

describe.concurrent('listen.mjs ends', () => {
  const run = async (
    words: readonly string[],
    { token = 'mst_unknown', secret = 'a secret of the receiver' } = {},
  ) => {
    const listening = listen({ words, token, secret });
    return { code: await listening.exitCode, output: listening.output };
  };
  const toSomewhere = ['--to', 'http://localhost:1/', '--integration', '8Fq2LmZ0aBcD'];

  it('with 1 and the reason when the API refuses', async () => {
    const { tokens } = await newCustomer();
    const forbidding = await startUnreliableApi(api, () => refuseWith(403));

    const unknownToken = await run(toSomewhere);
    const otherAccount = await run(toSomewhere, { token: tokens.member });
    const forbidden = await run([...toSomewhere, '--api', forbidding.address]);

    expect([unknownToken.code, otherAccount.code, forbidden.code]).toEqual([1, 1, 1]);
    expect(unknownToken.output).toMatch(/^The API refuses \(401\): it does not know SERVICE_TOKEN/);
    expect(otherAccount.output).toMatch(
      /\(404\): the account of SERVICE_TOKEN has no integration 8Fq/,
    );
    expect(forbidden.output).toMatch(/\(403\): the role of SERVICE_TOKEN does not allow this/);
  });

  it.each<[string, string[], object, RegExp]>([
    ['no --to', ['--integration', 'a'], {}, /^--to must be/],
    ['another scheme', ['--to', 'ftp://localhost', '--integration', 'a'], {}, /^--to must be/],
    ['no --integration', ['--to', 'http://localhost'], {}, /^--integration must be/],
    ['an unknown option', [...toSomewhere, '--token', 'x'], {}, /'--token'/],
    ['a stray word', [...toSomewhere, 'mst_stray'], {}, /^A word of the command/],
    ['another --since', [...toSomewhere, '--since', 'yesterday'], {}, /^--since must be/],
    ['another --tries', [...toSomewhere, '--tries', '0'], {}, /^--tries must be/],
    ['an open --api', [...toSomewhere, '--api', 'http://192.0.2.1'], {}, /^--api must be an https/],
    ['no token', toSomewhere, { token: '' }, /^SERVICE_TOKEN must be/],
    ['no secret', toSomewhere, { secret: '' }, /^WEBHOOK_SECRET must be/],
    [
      'a broken secret',
      toSomewhere,
      { secret: 'whsec_?mst' },
      /^The webhook secret must be base64/,
    ],
  ])('with 2 and the name of what is wrong: %s', async (_, words, environment, reason) => {
    const { code, output } = await run(words, environment);

    expect(code).toBe(2);
    expect(output).toMatch(reason);
    expect(output).not.toMatch(/mst|secret of the receiver/);
  });

  it('with 0 after its help, which has the address of the API', async () => {
    const { code, output } = await run(['--help']);

    expect(code).toBe(0);
    expect(output).toContain(`--api <address>    the address of the API (${api})`);
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
