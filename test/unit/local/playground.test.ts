import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE } from '../../../core/event/event-catalogue.ts';
import type { Platform } from '../../../local/demo/playground.ts';
import {
  type PlaygroundUnderTest,
  startPlaygroundUnderTest,
} from '../../support/local/playground-under-test.ts';

let playground: PlaygroundUnderTest;
beforeEach(async () => {
  playground = await startPlaygroundUnderTest();
});
afterEach(() => playground.close());

const restart = async (
  overrides: Parameters<typeof startPlaygroundUnderTest>[0],
): Promise<void> => {
  await playground.close();
  playground = await startPlaygroundUnderTest(overrides);
};

const deliver = (id: string, body = '{}', name = 'mine') =>
  playground.call('POST', `/hooks/${name}`, { body, headers: { 'webhook-id': id } });

const shown = async (query = '') =>
  JSON.parse((await playground.call('GET', `/hooks/mine${query}`)).text);

describe('an endpoint of the playground', () => {
  it('confirms what arrives, and shows it, newest first', async () => {
    const { status, text } = await deliver('/deliveries/1', '{"a":1}');
    await deliver('/deliveries/2');

    expect({ status, text }).toEqual({ status: 204, text: '' });
    const { answer, requests } = await shown();
    expect(answer).toBe(204);
    expect(requests).toMatchObject([
      { answered: 204, headers: { 'webhook-id': '/deliveries/2' }, body: '{}' },
      { answered: 204, headers: { 'webhook-id': '/deliveries/1' }, body: '{"a":1}' },
    ]);
  });

  it('shows nothing of what arrived at another', async () => {
    await deliver('/deliveries/1', '{}', 'theirs');

    expect(await shown()).toEqual({ answer: 204, requests: [] });
  });

  it('answers what it was told from then on', async () => {
    await playground.call('PUT', '/hooks/mine/answer', { body: '503\n' });

    expect(await deliver('/deliveries/1')).toEqual({
      status: 503,
      text: 'This endpoint was told to answer 503.\n',
    });
    expect(await shown()).toMatchObject({ answer: 503, requests: [{ answered: 503 }] });
  });

  it.each(['99', '199', '600', '20', '2000', '-200', 'ok', '', '{"a":1}'])(
    'is not told to answer "%s"',
    async (body) => {
      const reply = await playground.call('PUT', '/hooks/mine/answer', { body });

      expect(reply).toEqual({
        status: 422,
        text: 'An answer is a status code from 200 to 599.\n',
      });
      expect((await deliver('/deliveries/1')).status).toBe(204);
    },
  );

  it('gives the latest body byte for byte', async () => {
    const bytes = '{ "text": "Grüße 👋\\u0021",\r\n "n": 1.10 }';
    await deliver('/deliveries/1', bytes);

    expect((await playground.call('GET', '/hooks/mine/latest/body')).text).toBe(bytes);
  });

  it('returns a header of the latest request, in any case of its name', async () => {
    await deliver('/deliveries/1');

    expect(await playground.call('GET', '/hooks/mine/latest/headers/Webhook-ID')).toEqual({
      status: 200,
      text: '/deliveries/1\n',
    });
    expect(await playground.call('GET', '/hooks/mine/latest/headers/X-Other')).toEqual({
      status: 404,
      text: 'It has no header X-Other.\n',
    });
  });

  it('shows one delivery when it is asked for one', async () => {
    await deliver('/deliveries/1', '{"a":1}');
    await deliver('/deliveries/2', '{"a":2}');

    const { text } = await playground.call('GET', '/hooks/mine/latest/body?delivery=/deliveries/1');
    expect(text).toBe('{"a":1}');
    expect((await shown('?delivery=/deliveries/1')).requests).toHaveLength(1);
  });

  it('lets its reader wait until so many have arrived', async () => {
    const asked = shown('?delivery=/deliveries/1&count=2');
    await deliver('/deliveries/1');
    await deliver('/deliveries/2');
    await deliver('/deliveries/1');

    expect((await asked).requests).toHaveLength(2);
  });

  it('ends a wait when the patience is over', async () => {
    await restart({ patienceMs: 1 });
    await deliver('/deliveries/1');

    expect((await shown('?count=2')).requests).toHaveLength(1);
    expect(await playground.call('GET', '/hooks/theirs/latest/body')).toEqual({
      status: 404,
      text: 'None has arrived.\n',
    });
  });

  it('keeps the last hundred', async () => {
    for (let number = 1; number <= 101; number += 1) await deliver(`/deliveries/${number}`);

    const { requests } = await shown();
    expect(requests).toHaveLength(100);
    expect(requests.at(-1).headers['webhook-id']).toBe('/deliveries/2');
  });
});

const send = (body: string, query = '') => playground.call('POST', `/events${query}`, { body });

describe('the platform’s part of the playground', () => {
  it('sends an event of the customer’s account with a sample of its data', async () => {
    const { status, text } = await send('{"type":"contact.created"}');

    expect(status).toBe(202);
    expect(playground.sent).toEqual([JSON.parse(text)]);
    expect(playground.sent).toMatchObject([
      {
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        type: 'contact.created',
        account: 'acme',
        data: EVENT_CATALOGUE['contact.created'].sample,
      },
    ]);
  });

  it('sends it with the given id, account and data, and exact numbers', async () => {
    const { text } = await send(
      '{"type":"message.received","id":"evt_1","account":"other","data":{"n":1.10}}',
    );

    expect(text).toContain('"data":{"n":1.10}');
    expect(playground.sent).toMatchObject([{ id: 'evt_1', account: 'other' }]);
  });

  it('sends several with ids of their own', async () => {
    const { text } = await send('{"type":"message.received"}', '?count=3');

    expect(JSON.parse(text)).toHaveLength(3);
    expect(new Set(playground.sent.map(({ id }) => id)).size).toBe(3);
  });

  it.each([
    ['what is not JSON', 'type=message.received', '', 400, /^Not JSON/],
    ['no object', '[]', '', 422, /object/],
    ['no type', '{}', '', 422, /^No event: type: must be one of message\.received, /],
    ['an unknown type', '{"type":"no_such.type"}', '', 422, /^No event: type: must be one of/],
    ['a misspelt member', '{"type":"message.received","dat":{}}', '', 422, /"dat"/],
    ['an id that is none', '{"type":"message.received","id":"a b"}', '', 422, /^No event: id: /],
    ['data that is no object', '{"type":"message.received","data":1}', '', 422, /data: must be/],
    ['a count that is none', '{"type":"message.received"}', '?count=0', 422, /from 1 to 100/],
    ['too many', '{"type":"message.received"}', '?count=101', 422, /from 1 to 100/],
    ['one id for two', '{"type":"message.received","id":"a"}', '?count=2', 422, /^An id is of one/],
  ])('sends nothing when it is given %s, and says why', async (_, body, query, status, reason) => {
    const reply = await send(body, query);

    expect(reply.status).toBe(status);
    expect(reply.text).toMatch(reason);
    expect(playground.sent).toEqual([]);
  });
});

const notices = {
  published: [
    {
      bus: 'integrations-local',
      source: 'integrations',
      detailType: 'Integration failed',
      detail: { id: 'chg_1-failed', statusCode: 500 },
      time: new Date('2026-11-20T12:00:00.000Z'),
    },
  ],
  mailed: [
    {
      at: new Date('2026-11-20T12:00:01.000Z'),
      from: 'webhooks@localhost',
      to: ['ada@acme.example'],
      subject: 'Webhook 127.0.0.1/hooks/mine failed',
      text: 'It failed.',
      html: '<p>It failed.</p>',
      headers: {},
    },
  ],
};

describe('the notices of the playground', () => {
  it('are the events on the bus and the e-mails, once the platform is there', async () => {
    const { promise, resolve } = Promise.withResolvers<Platform>();
    await restart({ platform: promise });
    const asked = playground.call('GET', '/notices');
    resolve({ account: 'acme', sendEvent: async () => {}, notices });

    const { status, text } = await asked;
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(notices)));
  });
});

describe('the playground', () => {
  it('says at its root what it can do', async () => {
    const { status, text } = await playground.call('GET', '/');

    expect(status).toBe(200);
    expect(text).toContain('PUT  /hooks/<name>/answer');
  });

  it.each([
    ['GET', '/hooks'],
    ['GET', '/hooks/'],
    ['POST', '/hooks/Mine'],
    ['POST', `/hooks/${'a'.repeat(41)}`],
    ['POST', '/hooks/mine/answer'],
    ['DELETE', '/hooks/mine'],
    ['PUT', '/hooks/mine'],
    ['GET', '/hooks/mine/latest'],
    ['GET', '/hooks/mine/latest/headers/'],
    ['GET', '/events'],
  ])('answers %s %s with what there is instead', async (method, path) => {
    const { status, text } = await playground.call(method, path);

    expect(status).toBe(404);
    expect(text).toMatch(/^There is no /);
    expect(text).toContain('POST /hooks/<name>');
  });

  it.each([
    [403, { origin: 'https://attacker.example' }],
    [421, { host: 'attacker.example' }],
  ])('sends no event for a web page: %s', async (status, headers) => {
    const body = '{"type":"message.received"}';

    expect(await playground.call('POST', '/events', { body, headers })).toMatchObject({ status });
    expect(playground.sent).toEqual([]);
  });

  it('takes a body of 2 MiB and no larger one', async () => {
    const post = (bytes: number) =>
      playground.call('POST', '/hooks/mine', { body: Buffer.alloc(bytes, 'a') });

    expect((await post(2_097_152)).status).toBe(204);
    expect(await post(2_097_153)).toEqual({
      status: 413,
      text: 'A body has at most 2097152 bytes here.\n',
    });
  });

  it('says so when an event cannot be put on the queue', async () => {
    await restart({
      platform: Promise.resolve({
        account: 'acme',
        notices,
        sendEvent: () => Promise.reject(new Error('The message is too long.')),
      }),
    });

    expect(await send('{"type":"message.received"}')).toEqual({
      status: 500,
      text: 'The message is too long.\n',
    });
  });
});
