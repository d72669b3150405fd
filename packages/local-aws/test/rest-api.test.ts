import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { get as httpsGet } from 'node:https';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestRun, type TestRun } from './support/assembly.ts';
import { thingsApi } from './support/things-api.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const CALLER = {
  accessKeyId: 'AKIAPLATFORM',
  secretAccessKey: 'a secret of the platform',
  userArn: 'arn:aws:sts::000000000000:assumed-role/platform/test',
};

const BODY = '{"name":"Ünïcode"}';

describe('the REST API of the embedded run', () => {
  let run: TestRun;

  /** As the signer of the AWS SDK does it. */
  const signed = async (
    path: string,
    {
      body = BODY,
      at = new Date(),
      ...caller
    }: Partial<typeof CALLER & { at: Date; body: string }> = {},
  ) => {
    const url = new URL(run.api + path);
    const signer = new SignatureV4({
      service: 'execute-api',
      region: 'us-east-1',
      credentials: { ...CALLER, ...caller },
      sha256: Sha256,
    });
    const request = {
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host, 'content-type': 'application/json' },
      body,
    };
    const { headers } = await signer.sign(request, { signingDate: at });
    return { method: 'POST', body, headers };
  };

  beforeAll(async () => {
    run = await startTestRun(thingsApi, { secureVariables: ['SECURE_URL'], apiCallers: [CALLER] });
  });

  afterAll(() => run.stop());

  const call = async (path: string, init: RequestInit & { token?: string } = {}) => {
    const { token = 'admin', ...rest } = init;
    const response = await fetch(run.api + path, {
      ...rest,
      headers: { ...(token && { Authorization: `Bearer ${token}` }), ...init.headers },
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text),
    };
  };

  it('answers preflights without a function or a token', async () => {
    const { status, headers, text } = await call('/things/1', { method: 'OPTIONS', token: '' });

    expect([status, text]).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe('https://console.example.com');
    expect(headers.get('access-control-allow-headers')).toBe('Authorization,If-Match');
  });

  it('gives a function the request as a proxy event', async () => {
    const { status, json } = await call('/acme%20inc/things?page=1&tag=a&tag=b', {
      method: 'POST',
      body: '{"name":"Ünïcode"}',
      headers: { 'X-Custom': 'kept' },
    });
    expect(status).toBe(200);
    const event = json();
    expect(event).toMatchObject({
      resource: '/{account}/things',
      path: '/acme%20inc/things',
      httpMethod: 'POST',
      headers: { 'X-Custom': 'kept' },
      multiValueHeaders: { 'X-Custom': ['kept'] },
      queryStringParameters: { page: '1', tag: 'b' },
      multiValueQueryStringParameters: { page: ['1'], tag: ['a', 'b'] },
      pathParameters: { account: 'acme%20inc' },
      stageVariables: null,
      body: '{"name":"Ünïcode"}',
      isBase64Encoded: false,
      requestContext: {
        stage: 'test',
        path: '/acme%20inc/things',
        resourcePath: '/{account}/things',
        identity: { sourceIp: '127.0.0.1' },
        authorizer: { principalId: 'admin', account: 'acme', admin: 'true' },
      },
    });
    expect(event.requestContext.requestId).toMatch(UUID);
  });

  it('answers with status, headers and body of the function', async () => {
    const { status, headers, text } = await call('/things/1?deed=created');
    expect(status).toBe(201);
    expect(headers.get('location')).toBe('/things/1');
    expect(headers.get('content-type')).toBe('text/plain');
    expect(text).toBe('made');
  });

  it('is over HTTPS at the address of the variables that need it, and no others', async () => {
    const { text } = await call('/things/1?deed=address');
    const [plain, address = ''] = text.split(' ');
    expect(plain).toBe(run.api);
    const ca = readFileSync(run.certificates.caFile);
    const status = await new Promise((resolve, reject) => {
      const get = httpsGet(`${address}/things/1`, { ca, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      get.on('error', reject);
    });
    expect([address.replace(/\d+$/, ''), status]).toEqual(['https://127.0.0.1:', 401]);
  });

  it('takes a request that a caller signed, and says who it is', async () => {
    const { headers, method, body } = await signed('/things/a%20b%2Fc?tag=%C3%A9&page=1');
    const { status, json } = await call('/things/a%20b%2Fc?tag=%C3%A9&page=1', {
      ...{ token: '', headers, method, body },
    });
    expect(status).toBe(200);
    expect(json().requestContext).toMatchObject({
      identity: { accessKey: CALLER.accessKeyId, userArn: CALLER.userArn },
    });
  });

  it.each<[string, Partial<typeof CALLER & { at: Date; body: string; path: string }>]>([
    ['by an unknown key', { accessKeyId: 'AKIAOTHER' }],
    ['with another secret', { secretAccessKey: 'another' }],
    ['six minutes ago', { at: new Date(Date.now() - 6 * 60_000) }],
    ['for another body', { body: '{}' }],
    ['for another path', { path: '/things/2' }],
  ])('takes no request that was signed %s', async (_case, { at, body, path, ...caller }) => {
    const { headers, method } = await signed(path ?? '/things/1', { body, at, ...caller });
    const answer = await call('/things/1', { token: '', headers, method, body: BODY });
    expect([answer.status, answer.json().type]).toEqual([403, '/problems/INVALID_SIGNATURE']);
  });

  it('takes no unsigned request where it needs a signature', async () => {
    const of = async (token: string) =>
      (await call('/things/1', { method: 'POST', token })).json().type;
    expect(await of('')).toBe('/problems/MISSING_AUTHENTICATION_TOKEN');
    expect(await of('admin')).toBe('/problems/INVALID_SIGNATURE');
  });

  it('asks the authorizer once for a token while its answer is kept', async () => {
    const asked = async () =>
      (await call('/things/1', { token: 'once' })).json().requestContext.authorizer.asked;
    expect(await asked()).toBe(await asked());
  });

  it('evaluates a kept policy for each method anew', async () => {
    expect((await call('/things/1', { token: 'reader' })).status).toBe(200);
    const refused = await call('/acme/things', { method: 'POST', token: 'reader' });
    expect(refused.json()).toMatchObject({ type: '/problems/ACCESS_DENIED' });
  });

  it.each([
    ['no token', '', 'UNAUTHORIZED'],
    ['a token that the policy allows and denies', 'denied', 'ACCESS_DENIED'],
  ])('answers %s with the gateway response of the template', async (_case, token, type) => {
    const { status, headers, json } = await call('/things/1', { token });
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(json()).toEqual({
      // This gateway has no stage in its paths.
      type: `/problems/${type}`,
      instance: expect.stringMatching(UUID),
    });
    expect(run.failures).toEqual([]);
  });

  it('answers 401 when an authorizer throws Unauthorized', async () => {
    const { json } = await call('/things/1', { token: 'unknown' });
    expect(json()).toMatchObject({ type: '/problems/UNAUTHORIZED' });
    expect((await run.failureOf('authorizer')).reason).toBe('Error: Unauthorized');
  });

  it('is at fault when the authorizer fails', async () => {
    const { status, headers } = await call('/things/1', { token: 'broken' });
    expect(status).toBe(500);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect((await run.failureOf('authorizer')).reason).toBe('Error: the table is gone');
  });

  it.each([
    ['throws', 'throw', 502, 'Error: no answer'],
    ['answers something else than a proxy response', 'malformed', 502, /Malformed/],
    ['answers a header that HTTP forbids', 'badHeader', 502, /Malformed/],
  ])('is at fault when the function %s', async (_case, deed, status, reason) => {
    expect((await call(`/things/1?deed=${deed}`)).status).toBe(status);
    expect((await run.failureOf('echo')).reason).toMatch(reason);
  });

  it('answers 429 beyond the burst of a method', async () => {
    const calls = Array.from({ length: 5 }, () => call('/things/1', { method: 'PUT' }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);

    expect(statuses.toSorted()).toEqual([200, 200, 200, 429, 429]);
    expect((await call('/things/2', { method: 'PUT' })).json().type).toBe('/problems/THROTTLED');
    expect((await call('/things/1')).status).toBe(200);
  });

  it('is at fault beyond the concurrency of a function', async () => {
    const calls = Array.from({ length: 3 }, () => call('/things/1', { method: 'PATCH' }));
    const answers = await Promise.all(calls);

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 502, 502]);
    expect(run.failures.filter(({ reason }) => reason.includes('Rate Exceeded'))).toEqual([]);
    expect((await call('/things/1', { method: 'PATCH' })).status).toBe(200);
  });

  it('times out when the function takes longer than the integration allows', async () => {
    const { status, json } = await call('/things/1?deed=hang', { method: 'DELETE' });
    expect(status).toBe(504);
    expect(json().type).toBe('/problems/INTEGRATION_TIMEOUT');
  });

  it.each(['/nothing/at/all', '/', '/things', '//things/1', '/things//'])(
    'has no route for %s',
    async (path) => {
      expect((await call(path)).status).toBe(404);
    },
  );

  it('refuses a body over 10 MB and reads it to its end', async () => {
    const body = Buffer.alloc(10 * 1024 * 1024 + 1);
    expect((await call('/acme/things', { method: 'POST', body })).status).toBe(413);
  });

  it.each(['/nothing/"\\<>%zz', '/things/%zz', '/things/%00', '/things/%2F', '/%', '/things/"\\'])(
    'answers %s, which is no proper path, with well-formed JSON',
    async (path) => {
      const { status, body } = await rawGet(run.api, path);
      expect(status).toBeLessThan(500);
      expect(() => JSON.parse(body)).not.toThrow();
    },
  );
});

/** A GET with the path as it is; `fetch` would normalise the path. */
const rawGet = (origin: string, path: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const headers = { Authorization: 'Bearer admin' };
    httpRequest({ hostname, port, path, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
