import { afterEach, describe, expect, it } from 'vitest';
import {
  type PlaygroundUnderTest,
  startPlaygroundUnderTest,
} from '../../support/local/playground-under-test.ts';

let playground: PlaygroundUnderTest;
afterEach(() => playground.close());

const start = async (patienceMs?: number): Promise<PlaygroundUnderTest> => {
  playground = await startPlaygroundUnderTest({ ...(patienceMs !== undefined && { patienceMs }) });
  return playground;
};

const deliver = (id: string, body = '{}', name = 'mine') =>
  playground.call('POST', `/hooks/${name}`, { body, headers: { 'webhook-id': id } });

const shown = async (query = '') =>
  JSON.parse((await playground.call('GET', `/hooks/mine${query}`)).text);

describe('an endpoint of the playground', () => {
  it('confirms what arrives, and shows it, newest first', async () => {
    await start();
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
    await start();
    await deliver('/deliveries/1', '{}', 'theirs');

    expect(await shown()).toEqual({ answer: 204, requests: [] });
  });

  it('answers what it was told from then on', async () => {
    await start();
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
      await start();
      const reply = await playground.call('PUT', '/hooks/mine/answer', { body });

      expect(reply).toEqual({
        status: 422,
        text: 'An answer is a status code from 200 to 599.\n',
      });
      expect((await deliver('/deliveries/1')).status).toBe(204);
    },
  );

  it('gives the latest body byte for byte', async () => {
    await start();
    const bytes = '{ "text": "Grüße 👋\\u0021",\r\n "n": 1.10 }';
    await deliver('/deliveries/1', bytes);

    expect((await playground.call('GET', '/hooks/mine/latest/body')).text).toBe(bytes);
  });

  it('gives a header of the latest as text, whatever case its name is asked in', async () => {
    await start();
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
    await start();
    await deliver('/deliveries/1', '{"a":1}');
    await deliver('/deliveries/2', '{"a":2}');

    const { text } = await playground.call('GET', '/hooks/mine/latest/body?delivery=/deliveries/1');
    expect(text).toBe('{"a":1}');
    expect((await shown('?delivery=/deliveries/1')).requests).toHaveLength(1);
  });

  it('lets its reader wait until so many have arrived', async () => {
    await start();
    const asked = shown('?delivery=/deliveries/1&count=2');
    await deliver('/deliveries/1');
    await deliver('/deliveries/2');
    await deliver('/deliveries/1');

    expect((await asked).requests).toHaveLength(2);
  });

  it('lets nobody wait for good', async () => {
    await start(1);
    await deliver('/deliveries/1');

    expect((await shown('?count=2')).requests).toHaveLength(1);
    expect(await playground.call('GET', '/hooks/theirs/latest/body')).toEqual({
      status: 404,
      text: 'None has arrived.\n',
    });
  });

  it('keeps the last hundred', async () => {
    await start();
    for (let number = 1; number <= 101; number += 1) await deliver(`/deliveries/${number}`);

    const { requests } = await shown();
    expect(requests).toHaveLength(100);
    expect(requests.at(-1).headers['webhook-id']).toBe('/deliveries/2');
  });
});
