import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE } from '../../../core/event/event-catalogue.ts';
import {
  type PlaygroundUnderTest,
  startPlaygroundUnderTest,
} from '../../support/local/playground-under-test.ts';

let playground: PlaygroundUnderTest;
beforeEach(async () => {
  playground = await startPlaygroundUnderTest();
});
afterEach(() => playground.close());

const send = (body: string, query = '') => playground.call('POST', `/events${query}`, { body });

describe('the platform’s part of the playground', () => {
  it('sends an event of the customer’s account, with a sample of its type’s data', async () => {
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

  it('sends it with the id, account and data that are given, numbers as they are written', async () => {
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
    ['an unknown type', '{"type":"message.read"}', '', 422, /^No event: type: must be one of/],
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
    await playground.close();
    playground = await startPlaygroundUnderTest({
      platform: Promise.resolve({
        account: 'acme',
        sendEvent: () => Promise.reject(new Error('The message is too long.')),
      }),
    });

    expect(await send('{"type":"message.received"}')).toEqual({
      status: 500,
      text: 'The message is too long.\n',
    });
  });
});
