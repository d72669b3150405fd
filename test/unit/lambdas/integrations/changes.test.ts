import { describe, expect, it } from 'vitest';
import { aDocument, anIntegration } from '../../../support/integration/integrations.ts';
import { documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { changingHandlers } from '../../../support/lambdas/changing-handler.ts';

/** `POST` rotates the secret. */
const BODY = { PUT: aDocument(), PATCH: {}, POST: {} };

describe.each(['PUT', 'PATCH', 'POST'] as const)('If-Match on %s /integrations/{id}', (method) => {
  const body = BODY[method];
  const sendIf = async (ifMatch: string | string[]) => {
    const { send, integrations } = changingHandlers();
    const result = await send(method, { body, headers: { 'If-Match': ifMatch } });
    return { result, revision: integrations.all[0]?.revision };
  };

  it.each<[string | string[]]>([
    ['"0123456789Ab-1"'],
    ['*'],
    [' * '],
    ['"other", "0123456789Ab-1"'],
    ['"a,b","0123456789Ab-1"'],
    [['"other"', '"0123456789Ab-1"']],
  ])('lets a change of the integration it names pass: %j', async (ifMatch) => {
    expect(await sendIf(ifMatch)).toMatchObject({ result: { statusCode: 200 }, revision: 2 });
  });

  it.each([
    '"0123456789Ab-2"',
    'W/"0123456789Ab-1"',
    '"x", W/"0123456789Ab-1"',
    '0123456789Ab-1',
    '"*"',
    '"',
    '',
  ])('stops the change of another: %j', async (ifMatch) => {
    const { result, revision } = await sendIf(ifMatch);
    expect([result.statusCode, revision]).toEqual([412, 1]);
    expect(documentOf(result)).toMatchObject({
      type: 'urn:service:problem:precondition-failed',
      title: 'Precondition Failed',
      status: 412,
    });
  });

  it('takes the ETag of the last answer', async () => {
    const { send } = changingHandlers();
    const first = await send(method, { body });
    const headers = { 'If-Match': String(first.headers?.ETag) };
    expect((await send(method, { body, headers })).statusCode).toBe(200);
    expect((await send(method, { body, headers })).statusCode).toBe(412);
  });

  it('is looked at before the body is judged', async () => {
    const { send } = changingHandlers();
    const headers = { 'If-Match': '"other"' };
    expect((await send(method, { body: { active: 1 }, headers })).statusCode).toBe(412);
  });
});

describe('An integration whose address is refused by now', () => {
  const hosts = { 'hooks.example.com': ['10.0.0.1'], 'other.example.com': ['192.168.0.1'] };
  const refused = anIntegration();
  const { baseUrl } = refused.config;

  it.each([
    ['PATCH', { active: false }],
    ['PUT', aDocument({ active: false, config: { baseUrl } })],
  ] as const)('can be switched off by %s', async (method, body) => {
    const { send, integrations } = changingHandlers({ stored: refused, hosts });
    expect((await send(method, { body })).statusCode).toBe(200);
    expect(integrations.all).toMatchObject([{ active: false, config: { baseUrl } }]);
  });

  it('can be switched off when its URL, too, is refused by now', async () => {
    const config = { ...refused.config, baseUrl: 'https://a..b/' };
    const { send } = changingHandlers({ stored: { ...refused, config } });
    expect((await send('PATCH', { body: { active: false } })).statusCode).toBe(200);
  });

  it.each([
    ['PATCH', { config: { baseUrl: 'https://other.example.com/' } }],
    ['PUT', aDocument({ config: { baseUrl: 'https://other.example.com/' } })],
    // Another path is another address to check, though the host is the same.
    ['PATCH', { config: { baseUrl: `${baseUrl}/other` } }],
  ] as const)('is refused another refused address by %s', async (method, body) => {
    const { send, integrations } = changingHandlers({ stored: refused, hosts });
    const result = await send(method, { body });
    expect(result.statusCode).toBe(422);
    expect(documentOf(result).errors).toMatchObject([{ pointer: '/config/baseUrl' }]);
    expect(integrations.all).toEqual([refused]);
  });
});
