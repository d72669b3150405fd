import { describe, expect, it } from 'vitest';
import { subscribedTo } from '../../../../core/integration/settings.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { aConfig, unsealed } from '../../../support/integration/in-memory-secrets.ts';
import { aDocument, anIntegration } from '../../../support/integration/integrations.ts';
import { type ApiCall, apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';

const PATH = `/integrations/${anIntegration().id}`;
const { config } = anIntegration();
const CURRENT = { webhookSecret: unsealed({ config }).config.webhookSecret };

type Method = 'PUT' | 'PATCH' | 'rotate-secret' | 'switch-secret' | 'DELETE';

/** The changes of one integration. */
const changing = (stored = anIntegration()) => {
  const api = apiOverMemory([stored]);
  const change = (method: Method, body?: unknown, headers: ApiCall['headers'] = {}) =>
    method.endsWith('-secret')
      ? api.call('POST', `${PATH}/${method}`, { body, headers })
      : api.call(method, PATH, { body, headers });
  const found = () => api.parts.integrations.all.map(unsealed)[0];
  return { ...api, change, found };
};

describe.each([
  ['PUT', aDocument(), 200],
  ['PATCH', {}, 200],
  ['rotate-secret', {}, 200],
  ['switch-secret', CURRENT, 200],
  ['DELETE', undefined, 204],
] as const)('If-Match on %s /integrations/{id}', (method, body, success) => {
  const statusIf = async (
    condition: string | string[],
    of = body as unknown,
    header = 'If-Match',
  ) => {
    const { change, state } = changing();
    const before = state();
    const { status } = await change(method, of, { [header]: condition });
    if (status !== success) expect(state()).toEqual(before);
    return status;
  };

  it.each<[string | string[]]>([
    ['"0123456789Ab-1"'],
    [' * '],
    ['"a,b","0123456789Ab-1"'],
    [['"other"', '"0123456789Ab-1"']],
  ])('permits the change of the integration that it names: %j', async (ifMatch) => {
    expect(await statusIf(ifMatch)).toBe(success);
  });

  it.each([
    '"0123456789Ab-2"',
    'W/"0123456789Ab-1"',
    '"x", W/"0123456789Ab-1"',
    '0123456789Ab-1',
    '"*"',
    '"',
    '',
  ])('stops every other change: %j', async (ifMatch) => {
    expect(await statusIf(ifMatch)).toBe(412);
  });

  it.each([
    ['*', 412],
    ['"0123456789Ab-1"', 412],
    ['W/"0123456789Ab-1"', 412],
    ['"other", "0123456789Ab-1"', 412],
    ['"other"', success],
    ['', success],
  ])('gives way to If-None-Match %j with %i', async (ifNoneMatch, status) => {
    expect(await statusIf(ifNoneMatch, body, 'If-None-Match')).toBe(status);
  });

  it.each(['"other"', ''])('is judged before the body: %j', async (ifMatch) => {
    expect(await statusIf(ifMatch, { active: 1 })).toBe(412);
  });
});

describe('A change of an integration', () => {
  it('patches only the members that it names', async () => {
    const { change, found } = changing();
    const settings = { actions: { 'contact.created': true, 'message.received': null } };
    const { headers, document } = await change('PATCH', { settings });
    expect(headers.etag).toBe('"0123456789Ab-2"');
    const changed = { actions: subscribedTo('message.delivered', 'contact.created') };
    expect(document.settings).toEqual({ ...changed, onFatalError: 'pause' });
    expect(found()).toEqual({
      ...unsealed(anIntegration()),
      settings: { ...changed, onFatalError: 'pause' },
      ...CHANGED,
    });
  });

  const updatedAt = '2026-11-20T12:30:00.000Z';
  const changedBy = { kind: 'user', user: 'usr_1', at: updatedAt };
  const CHANGED = { revision: 2, epoch: expect.any(Number), updatedAt, changedBy };

  it.each(['PUT', 'PATCH'] as const)(
    'keeps the client secret that is sent back to %s',
    async (method) => {
      const stored = anIntegration({ config: aConfig({ clientSecret: 'for them' }) });
      const { change, call, found } = changing(stored);
      const { document: read } = await call('GET', PATH);
      await change(method, { ...read, active: false });
      expect(found()).toMatchObject({ active: false, config: { clientSecret: 'for them' } });
    },
  );

  it.each(['PUT', 'PATCH'] as const)(
    'keeps an event type that only a later version knows: %s',
    async (method) => {
      const { settings } = anIntegration();
      const actions = { ...settings.actions, 'letter.returned': true };
      const { change, call, found } = changing(
        anIntegration({ settings: { ...settings, actions } }),
      );
      const { document: read } = await call('GET', PATH);
      expect((await change(method, { ...read, active: false })).status).toBe(200);
      expect(found()).toMatchObject({ active: false, settings: { actions } });
    },
  );

  it('rotates nothing but the secret, and that only when it is switched', async () => {
    const stored = anIntegration({
      active: false,
      config: aConfig({ clientSecret: 'for them', headers: { 'X-Api-Key': 'a key' } }),
    });
    const { change, found, call } = changing(stored);
    const next = 'another secret of theirs';
    const rotated = await change('rotate-secret', {
      webhookSecret: next,
      '@type': 'SecretRotation',
    });
    const { config } = unsealed(stored);
    expect(rotated.document.config).toMatchObject({
      webhookSecret: '[FILTERED]',
      nextWebhookSecret: next,
    });
    expect(found()).toEqual({
      ...stored,
      config: { ...config, nextWebhookSecret: next },
      ...CHANGED,
    });
    expect((await call('GET', PATH)).document.config).toMatchObject({
      nextWebhookSecret: '[FILTERED]',
    });

    const { document } = await change('switch-secret', {
      webhookSecret: next,
      overlapSeconds: 0,
      '@type': 'SecretSwitch',
    });
    expect(document.config).not.toHaveProperty('nextWebhookSecret');
    expect(found()).toEqual({
      ...stored,
      config: { ...config, webhookSecret: next },
      ...CHANGED,
      revision: 3,
    });
  });

  it.each([
    ['PUT', aDocument()],
    ['PATCH', { active: false }],
    ['PATCH', { config: { nextWebhookSecret: null } }],
  ] as const)('keeps the rotation that is prepared: %s %j', async (method, body) => {
    const nextWebhookSecret = 'another secret of theirs';
    const { change, found } = changing(anIntegration({ config: aConfig({ nextWebhookSecret }) }));
    await change(method, body);
    expect(found()?.config).toMatchObject({ nextWebhookSecret });
  });

  it.each([
    ['PUT', aDocument({ active: false, config: { baseUrl: config.baseUrl } })],
    ['PATCH', { active: false }],
  ] as const)('ends the overlap of an expired secret: %s', async (method, body) => {
    const previousSecrets = [{ secret: 'of before', expiresAt: '2026-11-20T12:30:00.000Z' }];
    const { change, found } = changing(anIntegration({ config: aConfig({ previousSecrets }) }));
    await change(method, body);
    expect(found()?.config).not.toHaveProperty('previousSecrets');
  });

  it.each([undefined, ''])('rotates without a body and its Content-Type: %j', async (body) => {
    const { change } = changing();
    const rotated = await change('rotate-secret', body, { 'content-type': [] });
    expect(rotated.document.config).toMatchObject({
      nextWebhookSecret: expect.stringMatching(/^whsec_/),
    });
  });

  it('switches to the secret that it names, with an overlap of a day', async () => {
    const { change, found } = changing();
    const webhookSecret = 'another secret of theirs';
    await change('rotate-secret', { webhookSecret });
    const { document } = await change('switch-secret', { webhookSecret });
    expect(document).toMatchObject({ previousSecretExpiresAt: '2026-11-21T12:30:00.000Z' });
    expect(found()?.config).toMatchObject({ webhookSecret });
    const after = found()?.config;
    expect((await change('switch-secret', { webhookSecret })).status).toBe(200);
    expect(found()?.config).toEqual(after);
  });

  it('does not switch to a secret that another admin has prepared since', async () => {
    const { change, found } = changing();
    const [mine, theirs] = ['a secret that I have prepared', 'a secret of another admin'];
    await change('rotate-secret', { webhookSecret: mine });
    await change('rotate-secret', { webhookSecret: theirs });
    const before = found();
    for (const body of [{ webhookSecret: mine }, { webhookSecret: mine, overlapSeconds: 0 }]) {
      const { status, document } = await change('switch-secret', body);
      expect(status).toBe(422);
      expect(document.errors).toEqual([
        { pointer: '/webhookSecret', detail: expect.stringContaining('the prepared secret') },
      ]);
      expect(JSON.stringify(document)).not.toContain(mine);
    }
    expect(found()).toEqual(before);

    expect((await change('switch-secret', { webhookSecret: theirs })).status).toBe(200);
    expect(found()?.config).toMatchObject({ webhookSecret: theirs });
  });

  it.each([86_400, 0])('refuses the current secret while another waits: %d s', async (s) => {
    const { change, state } = changing(
      anIntegration({ config: aConfig({ nextWebhookSecret: 'another secret of theirs' }) }),
    );
    const before = state();
    const { status, document } = await change('switch-secret', { ...CURRENT, overlapSeconds: s });
    const fault = { pointer: '/webhookSecret', detail: expect.stringContaining('the current') };
    expect([status, document.errors]).toEqual([422, [fault]]);
    expect(state()).toEqual(before);
  });

  it.each([undefined, '', {}, { webhookSecret: '[FILTERED]' }])(
    'does not switch without the name of a secret: %j',
    async (body) => {
      const { change, state } = changing(
        anIntegration({ config: aConfig({ nextWebhookSecret: 'another secret of theirs' }) }),
      );
      const before = state();
      expect((await change('switch-secret', body)).status).toBeGreaterThanOrEqual(400);
      expect(state()).toEqual(before);
    },
  );

  it('keeps a replaced secret when many are prepared after the switch', async () => {
    const { change, found } = changing();
    const webhookSecret = 'another secret of theirs';
    await change('rotate-secret', { webhookSecret });
    await change('switch-secret', { webhookSecret });
    for (let rotation = 0; rotation < 9; rotation += 1) {
      await change('rotate-secret', { webhookSecret: `a prepared secret ${rotation}` });
    }
    const { previousSecrets = [], nextWebhookSecret } = found()?.config ?? {};
    expect(previousSecrets.map(({ secret }) => secret)).toEqual([
      ...[7, 6, 5].map((rotation) => `a prepared secret ${rotation}`),
      CURRENT.webhookSecret,
    ]);
    expect(nextWebhookSecret).toBe('a prepared secret 8');
  });

  it.each([
    ['PUT', aDocument()],
    ['PATCH', {}],
    ['rotate-secret', {}],
    ['switch-secret', CURRENT],
  ] as const)('ends a failure and has pending events replayed: %s', async (method, body) => {
    const { change, parts } = changing(troubled('failed'));
    const { document } = await change(method, body);
    expect(document).toMatchObject({ status: 'active', isHealthy: true });
    expect(parts.replays.requested).toEqual([{ account: 'acme', id: '0123456789Ab' }]);
  });

  it.each(['application/merge-patch+json', 'application/merge-patch+json; charset=utf-8'])(
    'may be a patch of type %s',
    async (type) => {
      const { status } = await changing().change('PATCH', {}, { 'content-type': type });
      expect(status).toBe(200);
    },
  );

  it('may not be another kind of patch', async () => {
    const headers = { 'content-type': 'application/json-patch+json' };
    const { status, document } = await changing().change('PATCH', [], headers);
    expect(status).toBe(415);
    expect(document.detail).toContain('application/merge-patch+json');
  });

  it('does not fail, however deep a patch is nested', async () => {
    for (const depth of [100, 1_000, 2_000, 5_000, 10_000]) {
      const text = `{"settings":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
      expect([400, 422], `${depth} deep`).toContain(
        (await changing().change('PATCH', text)).status,
      );
    }
  });

  it.each<[Method, unknown, string]>([
    ['PUT', aDocument({ config: { baseUrl: 'https://inside.example.com/' } }), '/config/baseUrl'],
    ['PATCH', { active: null }, '/active'],
    ['PATCH', { config: { baseUrl: 'https://inside.example.com/' } }, '/config/baseUrl'],
    ['PATCH', null, ''],
    ['rotate-secret', { webhookSecret: 'too short' }, '/webhookSecret'],
    ['rotate-secret', { webhookSecret: '[FILTERED]' }, '/webhookSecret'],
    ['rotate-secret', { overlap: 60 }, '/overlap'],
    ['rotate-secret', [], ''],
    ['rotate-secret', 'rotate', ''],
  ])('is refused by the faulty member, and changes nothing: %s %j', async (...row) => {
    const [method, body, pointer] = row;
    const { change, state } = changing();
    const before = state();
    const { status, document } = await change(method, JSON.stringify(body), {
      'content-type': 'application/json',
    });
    expect(status).toBe(422);
    const pointers = (document.errors as { pointer: string }[]).map((fault) => fault.pointer);
    expect(new Set(pointers)).toEqual(new Set([pointer]));
    expect(state()).toEqual(before);
  });

  it.each([-1, 604_801, 0.5, true])(
    'explains the overlap to a caller who asks for %j',
    async (s) => {
      const { status, document } = await changing().change('switch-secret', {
        ...CURRENT,
        overlapSeconds: s,
      });
      expect(status).toBe(422);
      expect(document).toMatchObject({
        detail: 'The request body is not a valid SecretSwitch.',
        errors: [{ pointer: '/overlapSeconds', detail: 'must be a whole number from 0 to 604800' }],
      });
    },
  );

  it.each([
    ['PUT', aDocument({ config: unsealed({ config }).config }), 'integration.replaced'],
    ['PATCH', { config: { webhookSecret: 'another secret of theirs' } }, 'integration.patched'],
    ['rotate-secret', { webhookSecret: 'another secret of theirs' }, 'integration.secret_prepared'],
    ['switch-secret', CURRENT, 'integration.secret_rotated'],
    ['DELETE', undefined, 'integration.deleted'],
  ] as const)('logs the user, and no secret: %s', async (method, body, name) => {
    const { change, observation } = changing();
    await change(method, body);
    const fields = { account: 'acme', user: 'usr_1', integration: '0123456789Ab' };
    expect(observation.logger.lines).toEqual([{ level: 'info', name, fields }]);
  });

  it('logs the user who creates an integration, and no secret', async () => {
    const { call, observation } = apiOverMemory();
    const { headers, document } = await call('POST', '/acme/integrations', { body: aDocument() });
    expect(headers.location).toBe(document.id);
    const integration = String(document.id).replace('/integrations/', '');
    const fields = { account: 'acme', user: 'usr_1', integration };
    expect(observation.logger.lines).toEqual([
      { level: 'info', name: 'integration.created', fields },
    ]);
  });
});

describe('An integration whose stored address is refused by now', () => {
  const inside = { ...config, baseUrl: 'https://inside.example.com/' };
  const refused = anIntegration({ config: inside });

  it.each([
    ['PATCH', { active: false }],
    ['PUT', aDocument({ active: false, config: { baseUrl: inside.baseUrl } })],
  ] as const)('can be switched off by %s', async (method, body) => {
    const { change, found } = changing(refused);
    expect((await change(method, body)).status).toBe(200);
    expect(found()).toMatchObject({ active: false, config: { baseUrl: inside.baseUrl } });
  });

  it('can be switched off when its URL, too, is refused by now', async () => {
    const stored = anIntegration({ config: { ...config, baseUrl: 'https://a..b/' } });
    expect((await changing(stored).change('PATCH', { active: false })).status).toBe(200);
  });

  it('is refused another path of the host', async () => {
    const { change } = changing(refused);
    const patch = { config: { baseUrl: `${inside.baseUrl}other` } };
    expect((await change('PATCH', patch)).status).toBe(422);
  });
});

describe('the filter of an integration', () => {
  const FILTER = { message: { to: ['+13035550199', { prefix: '+44' }], 'a.b': [null, 0] } };
  const settings = { filter: FILTER };

  it('is shown as it was written, changed by a patch, and removed', async () => {
    const { change, found } = changing();
    const put = await change('PUT', aDocument({ settings }));
    expect(put.document).toMatchObject({ settings });
    expect(found()?.settings.filter).toBe(JSON.stringify(FILTER));
    const patched = await change('PATCH', { settings: { filter: { message: { to: null } } } });
    expect(patched.document).toMatchObject({
      settings: { filter: { message: { 'a.b': [null, 0] } } },
    });
    const withNone = { ...aDocument(), settings: { filter: {} } };
    expect((await change('PUT', withNone)).document).not.toHaveProperty('settings.filter');
    expect((await change('PATCH', { settings })).document).toHaveProperty('settings.filter');
    expect((await change('PATCH', { settings: { filter: null } })).document).not.toHaveProperty(
      'settings.filter',
    );
    expect(found()?.settings).not.toHaveProperty('filter');
  });

  it('is saved with a warning of what no subscribed event type has', async () => {
    const { change, found } = changing();
    const actions = { 'message.received': true };
    const filter = { 'detail/x': { message: { to: ['x'] } }, message: { to: ['x'] } };
    const pointer = '/settings/filter/detail~1x';
    const put = await change('PUT', aDocument({ settings: { actions, filter } }));
    expect(put).toMatchObject({ status: 200, document: { warnings: [{ pointer }] } });
    expect(found()?.settings.filter).toBe(JSON.stringify(filter));
    const patched = await change('PATCH', { settings: { filter: { 'detail/x': null } } });
    expect(patched.document).not.toHaveProperty('warnings');
    const other = { 'message.received': false, 'contact.created': true };
    const unsubscribed = await change('PATCH', { settings: { actions: other } });
    expect(unsubscribed.document).toMatchObject({
      warnings: [{ pointer: '/settings/filter/message' }],
    });
  });

  it('stays through other changes, and goes with a replacement without it', async () => {
    const { change } = changing();
    await change('PUT', aDocument({ settings }));
    expect((await change('PATCH', { description: 'Orders' })).document).toMatchObject({ settings });
    expect((await change('PUT', aDocument())).document).not.toHaveProperty('settings.filter');
  });

  it.each([
    [{ message: { to: 'x' } }, '/settings/filter/message/to'],
    [{ 'a/b': [{ prefix: 5 }] }, '/settings/filter/a~1b/0/prefix'],
    [{ a: ['x'.repeat(2_048)] }, '/settings/filter'],
    [[], '/settings/filter'],
    [{ a: ['x'], '@type': ['x'] }, '/settings/filter/@type'],
  ])('is refused as %j, with a pointer', async (filter, pointer) => {
    const { change, state } = changing();
    const before = state();
    const { status, document } = await change('PUT', aDocument({ settings: { filter } }));
    expect(status).toBe(422);
    expect(document).toMatchObject({ errors: [{ pointer }] });
    expect(state()).toEqual(before);
  });
});
