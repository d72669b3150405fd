import { describe, expect, inject, it } from 'vitest';
import { subscribedTo } from '../../core/integration/settings.ts';
import { call } from '../support/journey/platform.ts';
import type { ApiCall } from '../support/journey/platform-of.ts';
import { expectProblem } from '../support/journey/problems.ts';

const service = inject('service');
const integrations = `/${service.account}/integrations`;

const document = {
  '@context': '/contexts/Integration.jsonld',
  '@type': 'Integration',
  active: true,
  provider: 'webhook',
  config: { baseUrl: 'https://hooks.example.com/in', clientSecret: 'for the clients' },
  settings: { actions: { 'message.received': true, 'contact.created': true } },
};

describe('A webhook', () => {
  it('is answered with its id, its state and, once, its secret', async () => {
    const {
      status,
      headers,
      document: { warnings: _, ...created },
    } = await call('POST', integrations, { body: document });

    expect(status).toBe(201);
    expect(headers.get('content-type')).toBe('application/vnd.service+jsonld');
    expect(headers.get('location')).toBe(created.id);
    expect(headers.get('etag')).toMatch(/^".+"$/);
    expect(created).toEqual({
      ...document,
      id: expect.stringMatching(/^\/integrations\/[0-9A-Za-z]{12}$/),
      config: {
        baseUrl: 'https://hooks.example.com/in',
        webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
        clientSecret: '[FILTERED]',
      },
      settings: {
        actions: subscribedTo('message.received', 'contact.created'),
        onFatalError: 'pause',
      },
      status: 'active',
      isHealthy: true,
      setAsideEvents: 0,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: created.createdAt,
    });
  });

  it('is registered with a warning when its host name does not resolve', async () => {
    const warnings = [
      { pointer: '/config/baseUrl', detail: expect.stringContaining('could not be resolved') },
    ];
    const baseUrl = 'https://nonexistent.invalid/in';
    const { status, document: created } = await call('POST', integrations, {
      body: { ...document, config: { baseUrl } },
    });
    const { document: read } = await call('GET', String(created.id));
    const { document: sentBack } = await call('PUT', String(created.id), { body: created });
    const { document: patched } = await call('PATCH', String(created.id), {
      body: { config: { baseUrl: `${baseUrl}/2` } },
    });

    expect(status).toBe(201);
    expect(created).toMatchObject({ status: 'active', warnings });
    expect(read).not.toHaveProperty('warnings');
    expect(sentBack).not.toHaveProperty('warnings');
    expect(patched).toMatchObject({ warnings });
  });

  it('can be registered again with the same Idempotency-Key, and is one', async () => {
    const request = { body: document, headers: { 'Idempotency-Key': `key-${Date.now()}` } };

    const first = await call('POST', integrations, request);
    const second = await call('POST', integrations, request);

    expect(second.status).toBe(201);
    expect(second.document).toEqual(first.document);
  });

  it('takes forty changes at once, or says when to come back', async () => {
    const { document: created } = await call('POST', integrations, { body: document });

    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        call('PATCH', String(created.id), { body: { active: index % 2 === 0 } }),
      ),
    );

    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      refused.map(() => [409, '1']),
    );
    expect(refused.length).toBeLessThan(20);
  });
});

describe('The API refuses', () => {
  const refused: [what: string, status: number, kind: string, string, string, ApiCall][] = [
    ['an unknown route', 404, 'not-found', 'GET', '/nowhere/at/all', {}],
    ['an unknown method', 404, 'not-found', 'DELETE', integrations, {}],
    ['an id that cannot be one', 404, 'not-found', 'GET', '/integrations/..%2f..%00', {}],
    [
      'a body that is not JSON',
      400,
      'malformed-json',
      'POST',
      integrations,
      { body: '{"active":' },
    ],
    [
      'a body of 1 MB',
      413,
      'payload-too-large',
      'POST',
      integrations,
      { body: { ...document, filler: 'x'.repeat(1_000_000) } },
    ],
  ];

  it.each(refused)('%s with %i', async (_what, status, kind, method, path, request) => {
    expectProblem(await call(method, path, request), status, kind);
  });
});
