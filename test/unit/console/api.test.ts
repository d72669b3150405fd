import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createApiClient, everyMember } from '../../../packages/console/src/api/api-client.ts';
import { formErrors } from '../../../packages/console/src/api/field-errors.ts';
import { createKeyring } from '../../../packages/console/src/api/idempotency-key.ts';
import { ApiProblem, NoAnswer } from '../../../packages/console/src/api/problem.ts';
import { isWorthRetrying, retryDelayMs } from '../../../packages/console/src/api/query-client.ts';
import { createSignal } from '../../../packages/console/src/shared/signal.ts';

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
      body: { type: '/problems/unauthorized', detail: 'The token is unknown.' },
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
        type: '/problems/throttled',
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

it('reads all pages of a collection in order, wherever the API is served', async () => {
  const pages = new Map([
    ['/accounts?limit=100', { member: ['a', 'b'], view: { next: '/dev/accounts?cursor=x%2B1' } }],
    ['/accounts?limit=100&cursor=x%2B1', { member: ['c'], view: {} }],
  ]);
  const { api } = await clientOf(({ url = '' }) => ({ status: 200, body: pages.get(url) }));
  expect(await everyMember(api, '/accounts')).toEqual(['a', 'b', 'c']);
});

const FIELDS = {
  '/config/baseUrl': 'Endpoint URL',
  '/config/webhookSecret': 'Signing secret',
  '/settings/actions': 'Events',
};

const refusal = (...errors: ApiProblem['errors']) =>
  new ApiProblem(422, { type: '/problems/validation', detail: 'Not valid.', errors });

describe('formErrors', () => {
  it('puts each error of the API at its field', () => {
    const error = refusal(
      { pointer: '/config/baseUrl', detail: 'must be an https:// URL' },
      { pointer: '/config/webhookSecret', detail: 'must be 16 to 128 printable ASCII characters' },
    );
    expect(formErrors(error, FIELDS)).toEqual({
      fields: {
        '/config/baseUrl': 'Must be an https:// URL.',
        '/config/webhookSecret': 'Must be 16 to 128 printable ASCII characters.',
      },
      all: [
        'Endpoint URL: Must be an https:// URL.',
        'Signing secret: Must be 16 to 128 printable ASCII characters.',
      ],
    });
  });

  it('shows an error inside of a field at the field, with its place', () => {
    const error = refusal({
      pointer: '/settings/actions/no_such.type',
      detail: 'must be one of the event types',
    });
    expect(formErrors(error, FIELDS).fields).toEqual({
      '/settings/actions': 'no_such.type must be one of the event types.',
    });
  });

  it('tells all errors of one field', () => {
    const error = refusal(
      { pointer: '/config/baseUrl', detail: 'must be an https:// URL' },
      { pointer: '/config/baseUrl', detail: 'must be at most 2048 characters' },
    );
    expect(formErrors(error, FIELDS).fields['/config/baseUrl']).toBe(
      'Must be an https:// URL. Must be at most 2048 characters.',
    );
  });

  it('takes no field for one whose name merely begins alike', () => {
    const error = refusal({ pointer: '/config/baseUrls', detail: 'is not known' });
    expect(formErrors(error, FIELDS)).toEqual({
      fields: {},
      all: ['/config/baseUrls is not known.'],
    });
  });

  it('tells beside the form what no field shows', () => {
    const error = refusal(
      { header: 'Idempotency-Key', detail: 'must be printable' },
      { parameter: 'limit', detail: 'must be a number' },
      { pointer: '', detail: 'must be an object' },
    );
    expect(formErrors(error, FIELDS).all).toEqual([
      'Idempotency-Key must be printable.',
      'limit must be a number.',
      'The request must be an object.',
    ]);
  });

  it('says that the webhook was changed, whatever the API calls the header', () => {
    const problem = { type: '/problems/precondition-failed', detail: 'If-Match does not match.' };
    expect(formErrors(new ApiProblem(412, problem), FIELDS)).toEqual({
      fields: {},
      all: ['This webhook was changed after this page read it. Check it, and try again.'],
    });
  });

  it('tells the detail of a refusal that names no member', () => {
    const quota = new ApiProblem(409, {
      type: '/problems/integration-quota',
      detail: 'The account has reached its limit of integrations.',
    });
    expect(formErrors(quota, FIELDS)).toEqual({
      fields: {},
      all: ['The account has reached its limit of integrations.'],
    });
  });
});

describe('a failed read', () => {
  it.each([
    ['no answer came', new NoAnswer('The service cannot be reached.')],
    ['the service failed', new ApiProblem(500, {})],
    ['the function was too slow', new ApiProblem(504, {})],
    ['there were too many requests', new ApiProblem(429, {})],
  ])('is tried again when %s', (_, error) => {
    expect(isWorthRetrying(0, error)).toBe(true);
  });

  it.each([401, 403, 404, 409, 422])('is not tried again after a %i', (status) => {
    expect(isWorthRetrying(0, new ApiProblem(status, {}))).toBe(false);
  });

  it('is not tried again after a mistake of our own', () => {
    expect(isWorthRetrying(0, new TypeError('undefined is not a function'))).toBe(false);
  });

  it('is told to the person after three tries', () => {
    const error = new ApiProblem(500, {});
    expect([1, 2, 3].map((failures) => isWorthRetrying(failures, error))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is tried again when the service asks for it', () => {
    expect(retryDelayMs(0, new ApiProblem(429, {}, 60_000))).toBe(60_000);
  });

  it('is tried again later each time, at most half a minute later', () => {
    const error = new NoAnswer('The service cannot be reached.');
    expect([0, 1, 2, 9].map((failures) => retryDelayMs(failures, error))).toEqual([
      1_000, 2_000, 4_000, 30_000,
    ]);
  });
});

it('gives the same body the same key, and another body another key', () => {
  let made = 0;
  const keyFor = createKeyring(() => {
    made += 1;
    return `key-${made}`;
  });
  const keys = ['https://a', 'https://a', 'https://b'].map((baseUrl) => keyFor({ baseUrl }));
  expect(keys).toEqual(['key-1', 'key-1', 'key-2']);
});
