import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createApiClient, everyMember } from '../../../console/src/api/api-client.ts';
import { createSignal } from '../../../console/src/shared/signal.ts';

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A client of a server that answers as told, with a token that is renewed to `fresh`. */
const clientOf = async (answer: (request: IncomingMessage) => Answer) => {
  const server = createServer((request, response) => {
    const { status, body, headers } = answer(request);
    response.writeHead(status, headers).end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  closing.push(close);
  const isCutOff = createSignal(false);
  const api = createApiClient({
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens: { current: async () => 'stale', renewed: async () => 'fresh' },
    isCutOff,
  });
  return { api, isCutOff, close };
};

describe('a call of the API', () => {
  it('is made again with another token when the token is refused', async () => {
    const { api } = await clientOf(({ headers }) =>
      headers.authorization === 'Bearer fresh'
        ? { status: 200, body: { userName: 'u_1' } }
        : { status: 401 },
    );
    expect(await api.get('/me')).toEqual({ userName: 'u_1' });
  });

  it('is refused when the other token is refused, too', async () => {
    const { api } = await clientOf(() => ({
      status: 401,
      body: { type: 'urn:service:problem:unauthorized', detail: 'The token is unknown.' },
    }));
    await expect(api.get('/me')).rejects.toMatchObject({
      kind: 'unauthorized',
      message: 'The token is unknown.',
    });
  });

  it('tells what the problem document says', async () => {
    const { api } = await clientOf(() => ({
      status: 429,
      body: {
        type: 'urn:service:problem:throttled',
        detail: 'Too many requests.',
        instance: 'urn:uuid:1',
      },
      headers: { 'Retry-After': '60' },
    }));
    await expect(api.get('/accounts')).rejects.toMatchObject({
      status: 429,
      kind: 'throttled',
      instance: 'urn:uuid:1',
      retryAfterMs: 60_000,
    });
  });

  it('tells the status of a refusal that is no problem document', async () => {
    const { api } = await clientOf(() => ({ status: 502 }));
    await expect(api.get('/accounts')).rejects.toMatchObject({
      kind: 'unknown',
      message: 'The service answered 502.',
    });
  });

  it('tells that no answer came, and when one comes again', async () => {
    const { api, isCutOff, close } = await clientOf(() => ({ status: 200, body: {} }));
    await api.get('/me');
    expect(isCutOff.get()).toBe(false);
    close();
    await expect(api.get('/me')).rejects.toMatchObject({ name: 'NoAnswer' });
    expect(isCutOff.get()).toBe(true);
  });

  it('keeps the ETag for a later change', async () => {
    const { api } = await clientOf(() => ({ status: 200, body: {}, headers: { ETag: '"a-1"' } }));
    expect((await api.request('GET', '/integrations/a')).etag).toBe('"a-1"');
  });
});

it('reads all pages of a collection, in their order, wherever the API is served', async () => {
  const pages = new Map([
    ['/accounts?limit=100', { member: ['a', 'b'], view: { next: '/dev/accounts?cursor=x%2B1' } }],
    ['/accounts?limit=100&cursor=x%2B1', { member: ['c'], view: {} }],
  ]);
  const { api } = await clientOf(({ url = '' }) => ({ status: 200, body: pages.get(url) }));
  expect(await everyMember(api, '/accounts')).toEqual(['a', 'b', 'c']);
});
