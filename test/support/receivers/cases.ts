import { expect } from 'vitest';
import { MAX_BODY_BYTES } from '../../../core/delivery/route-event.ts';
import { EVENT_CATALOGUE } from '../../../core/event/event-catalogue.ts';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { eventWithBodyOf } from '../event/body-sizes.ts';
import type { SampleEvent } from '../journey/platform-of.ts';
import {
  headerIn,
  type Post,
  postUnsigned,
  type Route,
  signedAgain,
  withHeaders,
} from './posts.ts';
import { acceptedLine, newSecret, type RouteUnderTest, sentTo } from './route-under-test.ts';

/** What a receiver must do, by name. A case throws when the receiver does something else. */
type Cases = Readonly<Record<string, (route: RouteUnderTest) => Promise<void>>>;

const DELIVERED: Cases = {
  'all event types': async (route) => {
    const webhook = await route.webhook();
    const events = EVENT_TYPES.map((type) =>
      webhook.customer.sampleEvent({ type, data: EVENT_CATALOGUE[type].sample }),
    );
    await route.accepts(webhook, events);
  },

  'emoji and right-to-left text': async (route) => {
    const webhook = await route.webhook();
    const body = '👩‍👩‍👧‍👦 🏳️‍🌈 שלום مرحبا \u2067abc\u2069 \u2028 ñ n\u0303';
    const data = { message: { id: 'msg_1', body, direction: 'in' } };
    const [{ sent }] = await route.accepts(webhook, [webhook.customer.sampleEvent({ data })]);
    expect(sent.body.toString()).toContain(body);
  },

  'a body of 256 KiB': async (route) => {
    const webhook = await route.webhook();
    const { id, account } = webhook.customer.sampleEvent();
    const event = eventWithBodyOf(MAX_BODY_BYTES, { id, account });
    const [{ sent }] = await route.accepts(webhook, [event as unknown as SampleEvent]);
    expect(sent.body.length).toBe(262_144);
  },

  'numbers beyond 2^53': async (route) => {
    const webhook = await route.webhook();
    const numbers = '[9007199254740993,123456789012345678901234567890,0.10000000000000000001,1.0]';
    const event = webhook.customer.sampleEvent({ data: {} });
    const text = JSON.stringify(event).replace('"data":{}', `"data":{"numbers":${numbers}}`);
    const [{ sent }] = await route.accepts(webhook, [event], () =>
      webhook.customer.publishText(text),
    );
    expect(sent.body.toString()).toContain(numbers);
  },

  'ten at once': async (route) => {
    const webhook = await route.webhook();
    await route.accepts(webhook, webhook.customer.sampleEvents(10));
  },

  'a duplicate': async (route) => {
    const { webhook, event, sent } = await route.captured();
    const duplicates = () =>
      route.program.told.filter((line) => line === `duplicate ${idIn(sent)}`).length;
    const before = route.program.told.length;

    expect((await webhook.post(`/deliveries/${event.id}/resend`)).status).toBe(202);

    const delivery = await webhook.deliveryThat(event, ({ attempts }) => attempts.length === 2);
    expect(delivery.latestAttempt).toMatchObject({ outcome: 'delivered' });
    await route.program.tells(({ length }) => length > before, 'duplicate');
    expect(route.program.told.slice(before)).toEqual([`duplicate ${idIn(sent)}`]);
    expect(await route.post(sent)).toBeLessThan(300);
    await route.program.tells(() => duplicates() === 2, 'duplicate, again');
  },

  'a store that is down': async (route) => {
    const webhook = await route.webhook();
    const event = webhook.customer.sampleEvent();
    const { sent } = await route.program.withoutStore(async () => {
      await webhook.customer.publish(event);
      const { attempts } = await webhook.deliveryThat(event, ({ attempts: all }) => all.length > 0);
      expect(attempts).toMatchObject([{ outcome: 'transient', statusCode: 504 }]);
      const refused = sentTo(webhook, event);
      await route.refuses(withHeaders(refused.sent, { [route.signatureHeader]: 'v1,0000' }));
      return refused;
    });
    expect(await webhook.read()).toMatchObject({ status: 'active' });
    expect(await route.post(sent)).toBeLessThan(300);
    // By then the service may also have sent it again.
    const ofEvent = (line: string) => line.includes(idIn(sent));
    await route.program.tells((told) => told.some(ofEvent), 'accepted');
    expect(route.program.told.find(ofEvent)).toBe(acceptedLine(webhook, event));
  },

  'a rotated secret': async (normal) => {
    const webhook = await normal.webhook();
    await normal.accepts(webhook);
    const both = await normal.duringRotation();
    const { secret: webhookSecret } = both.program.secrets;
    expect((await webhook.post('/rotate-secret', { webhookSecret })).status).toBe(200);
    // The receiver knows the old secret alone, until it is started again with both.
    await normal.accepts(webhook);
    both.takeOver(normal);
    await both.accepts(webhook);
    expect((await webhook.post('/switch-secret', { webhookSecret })).status).toBe(200);
    const [{ sent }] = await both.accepts(webhook);
    expect(headerIn(sent, 'webhook-signature').split(' ')).toHaveLength(2);
    await both.refuses(signedAgain(sent, { secret: newSecret() }));
    expect(await webhook.read()).toMatchObject({ status: 'active' });
  },
};

const REFUSED: Cases = {
  'a tampered body': async (route) => {
    const { sent } = await route.captured();
    const text = sent.body.toString();
    for (const body of [text.replace('Hello', 'Jello'), `${text}\n`].map((it) => Buffer.from(it))) {
      await route.refuses(withHeaders({ ...sent, body }, lengthOf(body)));
    }
  },

  'a tampered signature': async (route) => {
    const { sent } = await route.captured();
    const signature = headerIn(sent, route.signatureHeader);
    const prefix = signature.startsWith('v1,') ? 'v1,' : '';
    const rest = signature.slice(prefix.length);
    const others = [
      (rest.startsWith('0') ? '1' : '0') + rest.slice(1),
      rest.slice(0, -4),
      // Python's base64 decoder, which the stock library uses, reads nothing after the padding.
      prefix ? `0000${rest}` : `${rest}0000`,
      'é'.repeat(rest.length),
      // The same in UTF-8, as a header has bytes.
      Buffer.from('é'.repeat(rest.length / 2)).toString('latin1'),
    ];
    for (const value of [...others.map((other) => prefix + other), '']) {
      await route.refuses(withHeaders(sent, { [route.signatureHeader]: value }));
    }
  },

  'a missing header': async (route) => {
    const { sent } = await route.captured();
    for (const name of route.requiredHeaders) {
      await route.refuses(withHeaders(sent, { [name]: undefined }));
    }
  },

  'another secret': async (route) => {
    const { sent } = await route.captured();
    await route.refuses(signedAgain(sent, { secret: newSecret() }));
  },

  'a body of more than 256 KiB': async ({ route, program }) => {
    const body = Buffer.alloc(MAX_BODY_BYTES + 1, ' ');
    const typed = ['Content-Type', 'application/json'] as const;
    const declared = [typed, ['Content-Length', String(body.length)]] as const;
    const chunked = [typed, ['Transfer-Encoding', 'chunked']] as const;
    const unsigned = { path: route, body, ends: true };
    expect(await postUnsigned(program.port, { ...unsigned, headers: declared })).toBe(413);
    expect(await postUnsigned(program.port, { ...unsigned, headers: chunked })).toBe(413);
    if (program.readsToTheEnd) return;
    // It does not wait for the end of what it refuses.
    const begun = Buffer.alloc(MAX_BODY_BYTES + 1_024, ' ');
    const open = { ...unsigned, body: begun, ends: false, headers: chunked };
    expect(await postUnsigned(program.port, open)).toBe(413);
  },

  'an old timestamp': async (route) => {
    const { sent } = await route.captured();
    const { secret } = route.program.secrets;
    const before = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await route.refuses(signedAgain(sent, { secret, at: before(6) }));
    expect(await route.post(signedAgain(sent, { secret, at: before(4) }))).toBeLessThan(300);
  },

  'a signed body that is no delivery': async (route) => {
    const { sent } = await route.captured();
    const { secret } = route.program.secrets;
    const statusOf = (text: string) =>
      route.post(signedAgain(sent, { secret, body: Buffer.from(text) }));
    for (const text of ['{"action":"message.received"}', '{"id":7}', '[]']) {
      expect([text, await statusOf(text)]).toEqual([text, 400]);
    }
    // Some libraries of Standard Webhooks parse the body, and fail as for a wrong signature.
    expect(route.route === '/hooks' ? [400] : [400, 401]).toContain(await statusOf('{"id":'));
  },
};

/** After the other cases: it ends the receiver. */
const AT_THE_END: Cases = {
  'an output of one line for each': async ({ program }) => {
    expect(await program.stop()).toBe(true);
    const accepted = program.told.filter((line) => line.startsWith('accepted '));
    expect(accepted.filter((line, at) => accepted.indexOf(line) !== at)).toEqual([]);
    expect(program.told.filter((line) => !TOLD.test(line))).toEqual([]);
    const { secret } = program.secrets;
    const secrets = [secret, secret.slice('whsec_'.length)];
    expect(secrets.filter((text) => program.output.includes(text))).toEqual([]);
    expect(program.output).not.toMatch(/v1,|[\da-f]{64}|"data"|Hello /);
  },
};

const TOLD = /^(accepted \/integrations\/\w+\/deliveries\/\S+ [a-z_.]+|duplicate \/\S+|refused)$/;

const CASES: Cases = { ...DELIVERED, ...REFUSED };

/** Only Standard Webhooks signs the time. */
export const casesOf = (route: Route): readonly string[] =>
  Object.keys(CASES).filter((name) => route === '/standard-hooks' || name !== 'an old timestamp');

export const LAST_CASES = Object.keys(AT_THE_END);

/** Throws an error when the receiver does not do as it must. */
export const runCase = async (name: string, route: RouteUnderTest): Promise<void> => {
  try {
    await (CASES[name] ?? AT_THE_END[name])?.(route);
  } finally {
    route.retire();
  }
};

const idIn = ({ body }: Post): string => (JSON.parse(body.toString()) as { id: string }).id;

const lengthOf = (body: Buffer) => ({ 'content-length': String(body.length) });
