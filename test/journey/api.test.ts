import { describe, expect, inject, it } from 'vitest';
import { call } from '../support/journey/platform.ts';

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
  it('that is registered is answered with its id, its state and, once, its secret', async () => {
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
        actions: {
          'message.received': true,
          'message.delivered': false,
          'message.failed': false,
          'message.unknown': false,
          'phone_call.completed': false,
          'contact.opted_out': false,
          'contact.opted_in': false,
          'contact.created': true,
        },
        onFatalError: 'pause',
      },
      status: 'active',
      isHealthy: true,
      setAsideEvents: 0,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: created.createdAt,
    });
  });

  it('is read back with its secrets filtered, by members too', async () => {
    const {
      document: { warnings: _, ...created },
    } = await call('POST', integrations, { body: document });

    const {
      status,
      headers,
      document: read,
    } = await call('GET', String(created.id), {
      token: service.memberToken,
    });

    expect(status).toBe(200);
    expect(headers.get('etag')).toMatch(/^".+"$/);
    expect(read).toEqual({
      ...created,
      config: { ...(created.config as object), webhookSecret: '[FILTERED]' },
    });
  });

  it('whose host name does not resolve is registered, with a warning that no read repeats', async () => {
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

  it('that is registered inactive says so', async () => {
    const { document: created } = await call('POST', integrations, {
      body: { ...document, active: false },
    });

    expect(created).toMatchObject({ active: false, status: 'inactive', isHealthy: true });
  });

  it('can be registered again with the same Idempotency-Key, and is one', async () => {
    const request = { body: document, headers: { 'Idempotency-Key': `key-${Date.now()}` } };

    const first = await call('POST', integrations, request);
    const second = await call('POST', integrations, request);

    expect(second.status).toBe(201);
    expect(second.document).toEqual(first.document);
  });

  it('can be registered again under the key of a deleted one, and is another', async () => {
    const request = { body: document, headers: { 'Idempotency-Key': `key-again-${Date.now()}` } };
    const first = await call('POST', integrations, request);
    expect((await call('DELETE', String(first.document.id))).status).toBe(204);

    const second = await call('POST', integrations, request);

    expect(second.status).toBe(201);
    expect(second.document.id).not.toBe(first.document.id);
  });

  it('of another body is refused under a used Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': `key-of-two-${Date.now()}` };
    await call('POST', integrations, { body: document, headers });

    const { status, document: problem } = await call('POST', integrations, {
      body: { ...document, active: false },
      headers,
    });

    expect(status).toBe(409);
    expect(problem.type).toBe('urn:service:problem:idempotency-conflict');
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

  it.each([
    'application/vnd.service+jsonld',
    'application/ld+json; charset=utf-8',
    'application/json;charset=UTF-8',
  ])('can be registered as %s', async (mediaType) => {
    const { status } = await call('POST', integrations, {
      body: document,
      headers: { 'Content-Type': mediaType },
    });

    expect(status).toBe(201);
  });
});

describe("A user's signature", () => {
  it('is read by any token of the account', async () => {
    const path = `/users/${service.user}/signature`;

    const { status, document: read } = await call('GET', path, { token: service.memberToken });

    expect(status).toBe(200);
    expect(read).toEqual({
      '@context': '/contexts/Signature.jsonld',
      '@type': 'Signature',
      id: path,
      content: expect.stringMatching(/\w/),
    });
  });

  it.each([
    'application/*',
    '*/*',
    'text/html, application/json;q=0.1',
    'application/vnd.service+jsonld',
  ])('is answered to Accept: %s', async (accept) => {
    const { status, headers } = await call('GET', `/users/${service.user}/signature`, {
      headers: { Accept: accept },
    });

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/vnd.service+jsonld');
  });
});
