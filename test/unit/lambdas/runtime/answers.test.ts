import type { APIGatewayProxyResult } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Refusal, type RefusalKind } from '../../../../core/refusal.ts';
import {
  type ApiAnswer,
  type ApiRequest,
  apiEndpoint,
} from '../../../../lambdas/api/runtime/api-endpoint.ts';
import { allowingOrigin, apiEntry } from '../../../../lambdas/api/runtime/api-entry.ts';
import {
  type ApiEventWishes,
  anApiEvent,
  call,
  documentOf,
} from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const OK: ApiAnswer = { statusCode: 200, document: { '@type': 'Nothing' } };

const ask = async (
  handle: (request: ApiRequest) => ApiAnswer,
  { role = 'member', ...overrides }: ApiEventWishes & { role?: 'member' | 'admin' } = {},
) => {
  const logger = new RecordingLogger();
  const endpoint = apiEndpoint({ access: role, answers: [] }, logger, async (request) =>
    handle(request),
  );
  const result = await call(endpoint, anApiEvent(overrides));
  return { ...result, document: documentOf(result), logger };
};

const refusing = (kind: RefusalKind, faults?: ConstructorParameters<typeof Refusal>[2]) => () => {
  throw new Refusal(kind, 'In words.', faults);
};

describe('an answer of the API', () => {
  it('is a document of the vendor’s type that no cache keeps', async () => {
    expect(await ask(() => OK)).toMatchObject({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/vnd.service+jsonld',
        'Cache-Control': 'no-store',
      },
      document: { '@type': 'Nothing' },
    });
  });

  it.each([
    ['/dev', '/acme/integrations', '/dev/integrations/1'],
    ['', '/acme/integrations', '/integrations/1'],
    ['/base/path', '/acme/integrations', '/base/path/integrations/1'],
    ['/dev', '/acme/integrations/', '/dev/integrations/1'],
    ['', '/acme/integrations/', '/integrations/1'],
  ])('has links below the path %j it is served at, asked for %s', async (basePath, path, link) => {
    const created = () => ({
      statusCode: 201,
      location: '/integrations/1',
      document: { '@type': 'Integration', id: '/integrations/1' },
    });
    const resource = '/{account_name}/integrations';
    const { headers, document } = await ask(created, { path, basePath, resource });
    expect([headers?.Location, document.id]).toEqual([link, link]);
  });

  it('has neither body nor Content-Type when there is nothing to show', async () => {
    const endpoint = apiEndpoint(
      { access: 'member', answers: [] },
      new RecordingLogger(),
      async () => ({ statusCode: 204 }),
    );
    const { statusCode, headers, body } = await call(endpoint, anApiEvent());
    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).toEqual({ 'Cache-Control': 'no-store' });
  });

  it('may have headers of its own, and no Location without reason', async () => {
    const { headers } = await ask(() => ({ ...OK, headers: { ETag: '"1"' } }));
    expect(headers).toMatchObject({ ETag: '"1"' });
    expect(headers).not.toHaveProperty('Location');
  });
});

describe('a refusal', () => {
  it.each<[RefusalKind, number, string]>([
    ['conflict', 409, 'Conflict'],
    ['validation', 422, 'Unprocessable Entity'],
  ])('of kind %s is a problem document of status %i', async (kind, status, title) => {
    const { statusCode, headers, document } = await ask(refusing(kind));
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
    });
    expect(document).toEqual({
      type: `/problems/${kind}`,
      title,
      status,
      detail: 'In words.',
      instance: 'urn:uuid:7a1d3a1e-5f0e-4f7b-9c55-111111111111',
    });
  });

  it('says when to come back where a repeated call may succeed', async () => {
    expect((await ask(refusing('conflict'))).headers).toMatchObject({ 'Retry-After': '1' });
    expect((await ask(refusing('validation'))).headers).not.toHaveProperty('Retry-After');
  });

  it('names its faults, up to ten', async () => {
    const faults = [
      { pointer: '/config/baseUrl', detail: 'is required' },
      ...Array(9).fill({ header: 'Idempotency-Key', detail: 'is too long' }),
    ];
    const detail = 'In words.';
    expect((await ask(refusing('validation', faults))).document).toMatchObject({
      detail,
      errors: faults,
    });
    const more = [...faults, { pointer: '/config', detail: 'is the eleventh' }];
    expect((await ask(refusing('validation', more))).document).toMatchObject({
      detail: `${detail} It has more errors than are named.`,
      errors: faults,
    });
  });

  it('is no line in the log', async () => {
    expect((await ask(refusing('not-found'))).logger.lines).toEqual([]);
  });
});

describe('a fault of ours', () => {
  const failing = () => {
    throw new TypeError('cannot read table integrations-prod');
  };

  it('shows nothing of itself', async () => {
    const { statusCode, document, body } = await ask(failing);
    expect(statusCode).toBe(500);
    expect(document).toEqual({
      type: '/problems/internal',
      title: 'Internal Server Error',
      status: 500,
      detail: 'The service failed to answer this request.',
      instance: 'urn:uuid:7a1d3a1e-5f0e-4f7b-9c55-111111111111',
    });
    expect(body).not.toContain('integrations-prod');
  });

  it('is found in the log by the instance the caller was told', async () => {
    const { logger } = await ask(failing, { resource: '/integrations/{id}' });
    expect(logger.named('request.failed')).toMatchObject([
      {
        requestId: '7a1d3a1e-5f0e-4f7b-9c55-111111111111',
        route: '/integrations/{id}',
        error: 'TypeError: cannot read table integrations-prod',
      },
    ]);
  });

  it.each(['text', null, undefined, { message: 'x' }])('may be %j thrown', async (thrown) => {
    const { statusCode } = await ask(() => {
      throw thrown;
    });
    expect(statusCode).toBe(500);
  });

  it.each([null, {}, { user: 'usr_1', account: 'acme', role: 'owner' }])(
    'is an authorizer that passed on %j',
    async (authorizer) => {
      expect((await ask(() => OK, { authorizer })).statusCode).toBe(500);
    },
  );
});

describe('a request as a function sees it', () => {
  it('has its principal, parameters and headers, whatever their case', async () => {
    let seen: ApiRequest | undefined;
    await ask(
      (request) => {
        seen = request;
        return OK;
      },
      { pathParameters: { id: 'abc' }, headers: { 'IDEMPOTENCY-key': 'k1' } },
    );
    expect(seen?.principal).toEqual({ user: 'usr_1', account: 'acme', role: 'admin' });
    expect(seen?.parameter('id')).toBe('abc');
    expect(seen?.parameter('other')).toBe('');
    expect(seen?.header('idempotency-key')).toBe('k1');
    expect(seen?.header('other')).toBeUndefined();
  });

  it('has the parameters of the path percent-decoded once', async () => {
    const pathParameters = { account_name: '%61cme', id: 'a%2520b%2Fc' };
    let id = '';
    const { statusCode } = await ask(
      (request) => {
        id = request.parameter('id');
        return OK;
      },
      { pathParameters },
    );
    expect([statusCode, id]).toEqual([200, 'a%20b/c']);
  });

  it.each(['id', 'account_name'])('is of nothing if %s is escaped wrongly', async (name) => {
    const read = (request: ApiRequest) => ({ ...OK, id: request.parameter(name) });
    const { statusCode, document } = await ask(read, { pathParameters: { [name]: '%E0%A4%A' } });
    expect([statusCode, document.type]).toEqual([404, '/problems/not-found']);
  });
});

const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
};

describe('every answer of a function of the API', () => {
  it.each([
    [200, { 'Content-Type': 'application/vnd.service+jsonld', ETag: '"1"' }],
    [204, undefined],
    [422, { 'Content-Type': 'application/problem+json' }],
  ])('is read as what it says, over HTTPS only: %i', async (statusCode, headers) => {
    const parts = {
      environmentSchema: z.object({}),
      compose: () => ({}),
      createHandler: () => async () => ({ statusCode, headers, body: '' }),
    };
    const { headers: answered } = await call(apiEntry({}, parts), anApiEvent());
    expect(answered).toEqual({ ...headers, ...SECURITY_HEADERS });
  });
});

const answer: APIGatewayProxyResult = {
  statusCode: 404,
  headers: { 'Content-Type': 'application/problem+json' },
  body: '{}',
};
const handler = async () => answer;

describe('An answer to a page of another origin', () => {
  it('may be read where that origin is configured, whatever its status', async () => {
    const allowing = allowingOrigin('https://console.example.com', handler);

    expect(await call(allowing, anApiEvent())).toEqual({
      ...answer,
      headers: {
        'Content-Type': 'application/problem+json',
        'Access-Control-Allow-Origin': 'https://console.example.com',
        'Access-Control-Expose-Headers': expect.stringContaining('ETag'),
      },
    });
  });

  it('says nothing of origins where none is', async () => {
    expect(await call(allowingOrigin(undefined, handler), anApiEvent())).toEqual(answer);
  });
});
