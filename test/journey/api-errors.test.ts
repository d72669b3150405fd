import { beforeAll, describe, expect, inject, it } from 'vitest';
import { newCustomer } from '../support/journey/customer.ts';
import type { Customer } from '../support/journey/customer-of.ts';
import { call, register } from '../support/journey/platform.ts';
import type { ApiCall } from '../support/journey/platform-of.ts';
import { document, errorsOf, expectProblem } from '../support/journey/problems.ts';

const service = inject('service');
const integrations = `/${service.account}/integrations`;
const signature = `/users/${service.user}/signature`;

let mine: { id: string };
let other: Customer;
beforeAll(async () => {
  mine = await register('https://hooks.example.com/in');
  other = await newCustomer();
});

describe('The API refuses', () => {
  const refused: [
    what: string,
    status: number,
    kind: string,
    method: string,
    path: string,
    ApiCall,
  ][] = [
    ['a call without a token', 401, 'unauthorized', 'GET', signature, { token: undefined }],
    ['an unknown token', 401, 'unauthorized', 'GET', signature, { token: `mst_${'A'.repeat(43)}` }],
    ['a token that is none', 401, 'unauthorized', 'GET', signature, { token: 'secret' }],
    [
      'another scheme',
      401,
      'unauthorized',
      'GET',
      signature,
      { token: undefined, headers: { Authorization: 'Basic dTpw' } },
    ],
    [
      'a write by a member',
      403,
      'forbidden',
      'POST',
      integrations,
      { token: service.memberToken, body: document() },
    ],
    ['an unknown route', 404, 'not-found', 'GET', '/nowhere/at/all', {}],
    ['an unknown method', 404, 'not-found', 'DELETE', integrations, {}],
    [
      'the account name of nobody',
      404,
      'not-found',
      'POST',
      '/nobody/integrations',
      { body: document() },
    ],
    ['an unknown integration', 404, 'not-found', 'GET', '/integrations/000000000000', {}],
    ['an id that cannot be one', 404, 'not-found', 'GET', '/integrations/..%2f..%00', {}],
    ['an unknown user', 404, 'not-found', 'GET', '/users/u_nobody/signature', {}],
    ['a user that cannot be one', 404, 'not-found', 'GET', '/users/%20%F0%9F%98%80/signature', {}],
    [
      'to answer in another media type',
      406,
      'not-acceptable',
      'GET',
      signature,
      { headers: { Accept: 'text/html, application/json;q=0' } },
    ],
    [
      'a body of another media type',
      415,
      'unsupported-media-type',
      'POST',
      integrations,
      { body: 'a=b', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    ],
    [
      'a body that is not JSON',
      400,
      'malformed-json',
      'POST',
      integrations,
      { body: '{"active":' },
    ],
    [
      'an empty body',
      400,
      'malformed-json',
      'POST',
      integrations,
      { headers: { 'Content-Type': 'application/json' } },
    ],
    [
      'a body of 1 MB',
      413,
      'payload-too-large',
      'POST',
      integrations,
      { body: document({}, { filler: 'x'.repeat(1_000_000) }) },
    ],
  ];

  it.each(refused)('%s with %i', async (_what, status, kind, method, path, request) => {
    expectProblem(await call(method, path, request), status, kind);
  });

  it('a missing token with the scheme it wants', async () => {
    const { headers } = await call('GET', signature, { token: undefined });

    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it("another account's integration, user and name as if there were none", async () => {
    const asOther = { token: other.tokens.admin };

    const replies = [
      await call('GET', mine.id, asOther),
      await call('GET', signature, asOther),
      await call('POST', integrations, { ...asOther, body: document() }),
    ];

    for (const reply of replies) expectProblem(reply, 404, 'not-found');
  });

  const invalid: [what: string, body: unknown, pointers: string[]][] = [
    ['a list', [], ['']],
    ['nothing but a null', null, ['']],
    ['an empty object', {}, ['/active', '/provider', '/config', '/settings']],
    [
      'wrong types',
      { active: 'yes', provider: 7, config: [], settings: 'all' },
      ['/active', '/provider', '/config', '/settings'],
    ],
    ['another provider', document({}, { provider: 'email' }), ['/provider']],
    ['an unknown member', document({}, { activ: true }), ['/activ']],
    ['an unknown member of config', document({ secret: 'x' }), ['/config/secret']],
    [
      'an unknown event type',
      document({}, { settings: { actions: { 'message.read': true } } }),
      ['/settings/actions/message.read'],
    ],
    [
      'a subscription that is no boolean',
      document({}, { settings: { actions: { 'message.failed': 1 } } }),
      ['/settings/actions/message.failed'],
    ],
    [
      'an unknown onFatalError',
      document({}, { settings: { onFatalError: 'stop' } }),
      ['/settings/onFatalError'],
    ],
    ['a private address', document({ baseUrl: 'https://10.0.0.1/' }), ['/config/baseUrl']],
    [
      'the address of the metadata service',
      document({ baseUrl: 'https://169.254.169.254/latest/meta-data/' }),
      ['/config/baseUrl'],
    ],
    ['a short secret', document({ webhookSecret: 'short' }), ['/config/webhookSecret']],
    [
      'a secret beyond ASCII',
      document({ webhookSecret: 'é'.repeat(20) }),
      ['/config/webhookSecret'],
    ],
    [
      'a filtered secret where none is stored',
      document({ webhookSecret: '[FILTERED]' }),
      ['/config/webhookSecret'],
    ],
    [
      'a long client secret',
      document({ clientSecret: 'x'.repeat(1_025) }),
      ['/config/clientSecret'],
    ],
  ];

  it.each(invalid)('%s with 422, naming each member', async (_what, body, pointers) => {
    const reply = await call('POST', integrations, { body: JSON.stringify(body) });

    expectProblem(reply, 422, 'validation');
    expect(
      errorsOf(reply)
        .map(({ pointer }) => pointer)
        .sort(),
    ).toEqual([...pointers].sort());
  });

  const garbage: [what: string, path: string, headers: Record<string, string>][] = [
    ['a path of percent signs', '/users/%/signature', {}],
    ['a path that climbs', '/users/..%2f..%2fsecrets/signature', {}],
    ['a path of half a character', '/users/%ff%fe/signature', {}],
    ['a very long path', `/users/${'x'.repeat(6_000)}/signature`, {}],
    ['a prototype as a name', '/__proto__/integrations', {}],
    ['an odd Accept', signature, { Accept: ';;;q=,,,/' }],
    ['a long Accept', signature, { Accept: 'application/x-y;q=0.1, '.repeat(300) }],
  ];

  it.each(garbage)('%s, and does not fail of it', async (_what, path, headers) => {
    const { status } = await call('GET', path, { headers });

    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});
