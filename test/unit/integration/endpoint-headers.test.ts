import { describe, expect, it } from 'vitest';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../support/delivery/scripted-webhook-endpoint.ts';
import { aConfig, unsealed } from '../../support/integration/in-memory-secrets.ts';
import { aCreator } from '../../support/integration/integration-creator.ts';
import { aDocument, anIntegration } from '../../support/integration/integrations.ts';
import { apiOverMemory } from '../../support/lambdas/api-over-memory.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';

const BASE_URL = 'https://hooks.example.com/in';
const PATH = `/integrations/${anIntegration().id}`;

const withHeaders = (headers: unknown) => aDocument({ config: { baseUrl: BASE_URL, headers } });

const created = async (headers: unknown) => {
  const { create } = aCreator();
  return unsealed((await create({ account: 'acme', document: withHeaders(headers) })).integration);
};

const faultsOf = async (headers: unknown) =>
  (await refusalOf(() => created(headers))).faults.map((fault) => fault.detail);

describe('headers of an integration', () => {
  it.each([
    { 'X-Api-Key': 'k', Authorization: 'Basic YWRhOmxvdmVsYWNl', "x.y_z~!#$%&'*+-^`|9": '~ !"' },
    { [`X-${'n'.repeat(62)}`]: 'v'.repeat(512) },
    { A: '1', B: '2', C: '3', D: '4', E: '5' },
    { Accepts: 'x', XService: 'x', Webhooks: 'x', Hosted: 'x', 'Proxied-For': 'x', Ten: 'x' },
  ])('may be %j', async (headers) => {
    const few = Object.fromEntries(Object.entries(headers).slice(0, 5));
    expect((await created(few)).config.headers).toEqual(few);
  });

  it.each([
    ['Host', 'the service sets it'],
    ['Content-Type', 'the service sets it'],
    ['Content-Length', 'the service sets it'],
    ['User-Agent', 'the service sets it'],
    ['Accept', 'the service sets it'],
    ['Accept-Encoding', 'the service sets it'],
    ['X-Service-Signature', 'the service sets it'],
    ['X-Service-Anything', 'the service sets it'],
    ['webhook-id', 'the service sets it'],
    ['Webhook-Anything', 'the service sets it'],
    ['Content-Encoding', 'it would change how HTTP transfers the request'],
    ['Transfer-Encoding', 'it would change how HTTP transfers the request'],
    ['Connection', 'it would change how HTTP transfers the request'],
    ['Keep-Alive', 'it would change how HTTP transfers the request'],
    ['TE', 'it would change how HTTP transfers the request'],
    ['Trailer', 'it would change how HTTP transfers the request'],
    ['Upgrade', 'it would change how HTTP transfers the request'],
    ['Expect', 'it would change how HTTP transfers the request'],
    ['HTTP2-Settings', 'it would change how HTTP transfers the request'],
    ['traceparent', 'the service sets it'],
    ['tracestate', 'the service sets it'],
    ['Date', 'it would have the same value in every request'],
    ['Content_Length', 'the service sets it'],
    ['X_Forwarded_For', 'only proxies between us and you may set it'],
    ['Cookie2', 'the service does not keep a session'],
    ['Set-Cookie', 'the service does not keep a session'],
    ['Cookie', 'the service does not keep a session'],
    ['Forwarded', 'only proxies between us and you may set it'],
    ['Via', 'only proxies between us and you may set it'],
    ['Proxy-Authorization', 'only proxies between us and you may set it'],
    ['X-Forwarded-For', 'only proxies between us and you may set it'],
    ['X-Amz-Date', 'it is reserved for AWS'],
    ['X-Amzn-Trace-Id', 'it is reserved for AWS'],
  ])('may not have the name %s: %s', async (name, why) => {
    for (const spelled of [name, name.toLowerCase(), name.toUpperCase()]) {
      const refusal = await refusalOf(() => created({ [spelled]: 'x' }));
      expect(refusal.faults).toEqual([
        { pointer: `/config/headers/${spelled}`, detail: `must not be set: ${why}` },
      ]);
    }
  });

  it.each(['', 'X Key', 'X-Key:', 'X-Key: a\r\nX-Other', 'X-Kéy', 'X(Key)', '__proto__'])(
    'may not have the name %j',
    async (name) => {
      expect(await faultsOf(JSON.parse(`{${JSON.stringify(name)}: "x"}`))).toEqual([
        expect.stringContaining('must have a name of 1 to 64 letters'),
      ]);
    },
  );

  it('may not have a name of 65 characters', async () => {
    expect(await faultsOf({ [`X${'-'.repeat(64)}`]: 'x' })).toHaveLength(1);
  });

  it.each([
    ['a carriage return', 'a\rb'],
    ['a line feed', 'a\nb'],
    ['another header', 'a\r\nX-Other: b'],
    ['a folded line', 'a\r\n b'],
    ['a tab', 'a\tb'],
    ['a NUL', 'a\0b'],
    ['a letter beyond ASCII', 'é'],
    ['a space at the start', ' a'],
    ['a space at the end', 'a '],
    ['nothing', ''],
    ['513 characters', 'v'.repeat(513)],
  ])('may not have the value with %s', async (_, value) => {
    const refusal = await refusalOf(() => created({ 'X-Api-Key': value }));
    expect(refusal.faults).toEqual([
      {
        pointer: '/config/headers/X-Api-Key',
        detail:
          'must be 1 to 512 printable ASCII characters, without a space at the start or the end',
      },
    ]);
  });

  it.each([
    [null, 'must be an object'],
    ['X-Api-Key: a', 'must be an object'],
    [[], 'must be an object'],
    [{ 'X-Api-Key': 7 }, 'must be a string'],
    [{ a: '1', b: '1', c: '1', d: '1', e: '1', f: '1' }, 'must be at most 5 headers'],
    [
      Object.fromEntries(Array.from({ length: 4_500 }, (_, index) => [`wrong name ${index}`, '1'])),
      'must be at most 5 headers',
    ],
    [{ 'X-Api-Key': 'a', 'x-api-key': 'b' }, 'must not be set twice: names are not case-sensitive'],
    [{ 'X-Api-Key': '[FILTERED]' }, 'must not be [FILTERED]: no value is stored'],
  ])('may not be %j', async (headers, detail) => {
    expect(await faultsOf(headers)).toEqual([detail]);
  });

  it('are not quoted by their refusal', async () => {
    const headers = { Host: 'PRIVATE-1', 'X-Api-Key': 'PRIVATE-2 é' };
    const refusal = await refusalOf(() => created(headers));
    expect(pointersOf(refusal).toSorted()).toEqual([
      '/config/headers/Host',
      '/config/headers/X-Api-Key',
    ]);
    expect(JSON.stringify(refusal) + refusal.message).not.toContain('PRIVATE');
  });
});

describe('a change of the headers', () => {
  const STORED_KEY = { 'X-Api-Key': 'stored key' };
  const STORED = { ...STORED_KEY, 'X-Tenant': 'stored tenant' };

  const change = async (method: 'PUT' | 'PATCH', headers: unknown) => {
    const api = apiOverMemory([anIntegration({ config: aConfig({ headers: STORED }) })]);
    const body = method === 'PUT' ? withHeaders(headers) : { config: { headers } };
    const { status, document } = await api.call(method, PATH, { body });
    const [stored] = api.parts.integrations.all.map(unsealed);
    const shown = (document.config as { headers?: object } | undefined)?.headers;
    return { status, shown, errors: document.errors, stored, api };
  };

  it.each([
    ['PUT', STORED, STORED],
    ['PUT', { 'X-Api-Key': '[FILTERED]' }, { 'X-Api-Key': 'stored key' }],
    ['PUT', { 'x-API-key': '[FILTERED]' }, { 'x-API-key': 'stored key' }],
    ['PUT', { 'X-Api-Key': 'new', 'X-More': 'more' }, { 'X-Api-Key': 'new', 'X-More': 'more' }],
    ['PUT', {}, undefined],
    ['PUT', undefined, undefined],
    ['PATCH', undefined, STORED],
    ['PATCH', {}, STORED],
    ['PATCH', { 'X-Tenant': 'new' }, { ...STORED, 'X-Tenant': 'new' }],
    ['PATCH', { 'X-Tenant': '[FILTERED]' }, STORED],
    ['PATCH', { 'X-Tenant': null }, { 'X-Api-Key': 'stored key' }],
    ['PATCH', { 'X-Tenant': null, 'X-Api-Key': null }, undefined],
    ['PATCH', null, undefined],
    ['PATCH', { 'x-TENANT': null }, STORED_KEY],
    ['PATCH', { 'x-TENANT': 'new' }, { ...STORED_KEY, 'x-TENANT': 'new' }],
    ['PATCH', { 'x-tenant': '[FILTERED]' }, { ...STORED_KEY, 'x-tenant': 'stored tenant' }],
    ['PATCH', { 'x-tenant': null, 'X-TENANT': 'new' }, { ...STORED_KEY, 'X-TENANT': 'new' }],
  ] as const)('%s of %j stores %j', async (method, headers, expected) => {
    const { status, stored, shown } = await change(method, headers);
    expect(status).toBe(200);
    expect(stored?.config.headers).toEqual(expected);
    expect(shown).toEqual(
      expected && Object.fromEntries(Object.keys(expected).map((name) => [name, '[FILTERED]'])),
    );
    expect(stored?.revision).toBe(2);
  });

  it.each([
    ['PUT', { 'X-Other': '[FILTERED]' }, '/config/headers/X-Other'],
    ['PATCH', { 'X-Tenant': 'a', 'x-tenant': 'b' }, '/config/headers/x-tenant'],
    ['PATCH', { 'a/b': 'x' }, '/config/headers/a~1b'],
  ] as const)('%s of %j is refused, and changes nothing', async (method, headers, pointer) => {
    const { status, errors, stored } = await change(method, headers);
    expect(status).toBe(422);
    expect(errors).toEqual([{ pointer, detail: expect.any(String) }]);
    expect(stored?.config.headers).toEqual(STORED);
  });

  it('keeps the sealed values that it does not name', async () => {
    const before = aConfig({ headers: STORED }).headers;
    const { api } = await change('PATCH', { 'X-Tenant': 'new' });
    expect(api.parts.integrations.all[0]?.config.headers?.['X-Api-Key']).toEqual(
      before?.['X-Api-Key'],
    );
  });
});

describe('a change of the address of an integration with headers', () => {
  const HEADERS = { 'X-Api-Key': 'stored key', Authorization: 'Bearer stored' };
  const FILTERED = { 'X-Api-Key': '[FILTERED]', Authorization: '[FILTERED]' };

  const change = async (method: 'PUT' | 'PATCH', from: string, to: string, headers?: unknown) => {
    const config = aConfig({ baseUrl: from, headers: HEADERS });
    const api = apiOverMemory([anIntegration({ config })]);
    const changed = { config: { baseUrl: to, ...(headers !== undefined && { headers }) } };
    const body = method === 'PUT' ? aDocument(changed) : changed;
    const { status, document } = await api.call(method, PATH, { body });
    const [stored] = api.parts.integrations.all.map(unsealed);
    return { status, errors: document.errors, stored: stored?.config };
  };

  const OTHER_ORIGINS = [
    'https://hooks.example.com:8443/in',
    'https://evil.example.com/in',
    'https://hooks.example.com.evil.example/in',
    'https://hooks.example.com./in',
    'https://hooks.example.co/in',
  ].map((to) => ['https://hooks.example.com/in', to] as const);

  const SAME_ORIGINS = [
    ['https://hooks.example.com/in', 'https://hooks.example.com/other?x=1'],
    ['https://hooks.example.com/in', 'https://hooks.example.com:443/in'],
    ['https://hooks.example.com:443/in', 'https://hooks.example.com'],
    ['https://HOOKS.example.com/in', 'HTTPS://hooks.EXAMPLE.com/in'],
    ['https://hooks.example.com:8443/in', 'https://hooks.example.com:08443/'],
    ['https://b\u00fccher.example/in', 'https://xn--bcher-kva.example/in'],
  ] as const;

  it.each(OTHER_ORIGINS)('from %s to %s names the values to send again', async (from, to) => {
    const pointers = ['/config/headers/X-Api-Key', '/config/headers/Authorization'];
    for (const made of [change('PATCH', from, to), change('PUT', from, to, FILTERED)]) {
      const { status, errors, stored } = await made;
      expect(status).toBe(422);
      expect(errors).toEqual(
        pointers.map((pointer) => ({
          pointer,
          detail: expect.stringContaining('must be sent again'),
        })),
      );
      expect(stored).toMatchObject({ baseUrl: from, headers: HEADERS });
    }
  });

  it.each(OTHER_ORIGINS)('from %s to %s takes values sent again', async (from, to) => {
    const again = { 'x-api-key': 'new key', AUTHORIZATION: null };
    expect(await change('PATCH', from, to, again)).toMatchObject({
      status: 200,
      stored: { baseUrl: to, headers: { 'x-api-key': 'new key' } },
    });
    const without = await change('PUT', from, to);
    expect(without).toMatchObject({ status: 200, stored: { baseUrl: to } });
    expect(without.stored?.headers).toBeUndefined();
  });

  it.each(SAME_ORIGINS)('from %s to %s keeps the stored values', async (from, to) => {
    for (const made of [change('PATCH', from, to), change('PUT', from, to, FILTERED)]) {
      expect(await made).toMatchObject({ status: 200, stored: { baseUrl: to, headers: HEADERS } });
    }
  });
});

describe('a test of an integration with headers', () => {
  it('sends them, and shows their names alone', async () => {
    const headers = { 'X-Api-Key': 'stored key' };
    const endpoint = new ScriptedWebhookEndpoint();
    const api = apiOverMemory([anIntegration({ config: aConfig({ headers }) })], { endpoint });
    const body = { eventType: 'message.received' };
    const { document } = await api.call('POST', `${PATH}/test`, { body });
    expect(endpoint.requests).toMatchObject([{ headers }]);
    expect(document).toMatchObject({ request: { headers: { 'X-Api-Key': '[FILTERED]' } } });
    expect(JSON.stringify(api.state()) + JSON.stringify(document)).not.toContain('stored key');
  });
});

describe('a name of every object', () => {
  const NAMES = Object.getOwnPropertyNames(Object.prototype);

  it.each(NAMES.filter((name) => name !== '__proto__'))(
    'may be that of a header: %s',
    async (name) => {
      const endpoint = new ScriptedWebhookEndpoint();
      const api = apiOverMemory([anIntegration()], { endpoint });
      const set = await api.call('PATCH', PATH, {
        body: { config: { headers: { [name]: 'v1' } } },
      });
      expect(set.document).toMatchObject({ config: { headers: { [name]: '[FILTERED]' } } });
      const body = { config: { headers: { [name.toUpperCase()]: '[FILTERED]' } } };
      expect((await api.call('PATCH', PATH, { body })).status).toBe(200);
      await api.call('POST', `${PATH}/test`, { body: { eventType: 'message.received' } });
      expect(Object.entries(endpoint.requests[0]?.headers ?? {})).toContainEqual([
        name.toUpperCase(),
        'v1',
      ]);
      const { document } = await api.call('GET', `/acme/changes`);
      expect(JSON.stringify(document)).not.toContain('v1');
    },
  );

  it.each(NAMES)('is no event type: %s', async (name) => {
    const api = apiOverMemory([anIntegration()]);
    const body = JSON.parse(`{"settings":{"actions":{"${name}":true}}}`);
    const { status, document } = await api.call('PATCH', PATH, { body });
    expect(status).toBe(422);
    expect(document.errors).toEqual([
      {
        pointer: expect.any(String),
        detail: expect.stringMatching(/not a known member|named __proto__/),
      },
    ]);
  });
});

describe('an endpoint that repeats its request', () => {
  it('does not show the values of headers to readers of the log', async () => {
    const headers = { 'X-Api-Key': 'stored "key" 1', Authorization: 'Bearer stored-token' };
    const endpoint = new ScriptedWebhookEndpoint((request) =>
      answered(500, JSON.stringify(request.headers)),
    );
    const api = apiOverMemory([anIntegration({ config: aConfig({ headers }) })], { endpoint });
    const body = { eventType: 'message.received' };
    const { document } = await api.call('POST', `${PATH}/test`, { body });
    expect(JSON.stringify(document)).toContain('[FILTERED]');
    expect(JSON.stringify(api.state()) + JSON.stringify(document)).not.toMatch(/stored/);
  });
});

describe('the description of an integration', () => {
  const BLANK = [
    ...['\u3164', '\u115f\u1160', '\uffa0', '\u2800', '\u200c', '\u200d\u200d', '\u034f', '\ufe0f'],
    ...[' \u3164 ', '\u00a0', '\u3000', '\u0301', 'a\u2028b', 'a\u2029b', 'a\u0085b', 'a\u200bb'],
  ];

  const createdWith = async (description: unknown) => {
    const { create } = aCreator();
    return (await create({ account: 'acme', document: aDocument({ description }) })).integration;
  };

  it.each([
    'Orders',
    'a\u0301',
    '!',
    '注文',
    'Bestellungen 👋',
    '\u2764\ufe0f',
    'سفارش\u200cها',
    '👩\u200d💻',
    'x'.repeat(120),
  ])('may be %j', async (description) => {
    expect((await createdWith(description)).description).toBe(description);
  });

  it.each(['', ' ', 'x'.repeat(121), 'a\nb', 'a\u202eb', 'a\u0000', '\ud800', 7, null, ...BLANK])(
    'may not be %j',
    async (description) => {
      const refusal = await refusalOf(() => createdWith(description));
      expect(new Set(pointersOf(refusal))).toEqual(new Set(['/description']));
    },
  );

  it.each([
    ['PUT', aDocument({ description: 'new' }), 'new'],
    ['PUT', aDocument(), undefined],
    ['PATCH', {}, 'old'],
    ['PATCH', { description: 'new' }, 'new'],
    ['PATCH', { description: null }, undefined],
  ] as const)('is changed by %s of %j', async (method, body, expected) => {
    const api = apiOverMemory([anIntegration({ description: 'old' })]);
    const { document } = await api.call(method, PATH, { body });
    expect(document.description).toBe(expected);
    expect(api.parts.integrations.all[0]?.description).toBe(expected);
    expect((await api.call('GET', PATH)).document.description).toBe(expected);
  });
});
