import { describe, expect, it } from 'vitest';
import { subscribedTo } from '../../../../core/integration/integration.ts';
import { mergePatch } from '../../../../core/integration/write-integration.ts';
import { unsealed } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { changingHandlers } from '../../../support/lambdas/changing-handler.ts';

const { config } = anIntegration();
const stored = anIntegration({ config: { ...config, clientSecret: 'for clients' } });

const patch = async (body: unknown, headers: Record<string, string> = {}) => {
  const { send, integrations, logger } = changingHandlers({ stored });
  const result = await send('PATCH', { body, headers });
  const [after = expect.fail('it is gone')] = integrations.all.map(unsealed);
  return { ...result, document: documentOf(result), after, logger };
};

describe('a JSON merge patch', () => {
  // The test cases of RFC 7396, appendix A.
  it.each<[unknown, unknown, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('makes of %j by %j %j', (target, change, result) => {
    expect(mergePatch(target, change)).toEqual(result);
  });
});

describe('PATCH /integrations/{id}', () => {
  it('changes what it names, and nothing else', async () => {
    const { statusCode, headers, document, after } = await patch({
      settings: { actions: { 'contact.created': true, 'message.received': null } },
    });
    expect([statusCode, headers?.ETag]).toEqual([200, '"0123456789Ab-2"']);
    const actions = subscribedTo('message.delivered', 'contact.created');
    expect(document.settings).toEqual({ actions, onFatalError: 'pause' });
    expect(after).toEqual({
      ...stored,
      settings: { actions, onFatalError: 'pause' },
      revision: 2,
      epoch: expect.any(Number),
      updatedAt: '2026-11-21T08:00:00.000Z',
    });
  });

  it('changes onFatalError and keeps the subscriptions, and the other way round', async () => {
    const { send } = changingHandlers({ stored });
    const patched = async (settings: object) =>
      documentOf(await send('PATCH', { body: { settings } })).settings;
    const { actions } = stored.settings;
    expect(await patched({ onFatalError: 'continue' })).toEqual({
      actions,
      onFatalError: 'continue',
    });
    expect(await patched({ actions: { 'contact.created': true } })).toEqual({
      actions: { ...actions, 'contact.created': true },
      onFatalError: 'continue',
    });
    expect(await patched({ onFatalError: null })).toMatchObject({ onFatalError: 'pause' });
  });

  it('changes an address and keeps both secrets', async () => {
    const { after, document } = await patch({ config: { baseUrl: 'https://new.example.com/' } });
    expect(after.config).toEqual({ ...stored.config, baseUrl: 'https://new.example.com/' });
    expect(document.config).toMatchObject({
      webhookSecret: '[FILTERED]',
      clientSecret: '[FILTERED]',
    });
  });

  it('shows the webhook secret that it sets, and not the client secret', async () => {
    const config = { webhookSecret: 'another secret of theirs', clientSecret: 'another' };
    const { after, document } = await patch({ config });
    expect(after.config).toMatchObject(config);
    expect(document.config).toMatchObject({ ...config, clientSecret: '[FILTERED]' });
  });

  it('removes the client secret by null, and cannot remove the webhook secret', async () => {
    const { after } = await patch({ config: { webhookSecret: null, clientSecret: null } });
    expect(after.config).toEqual(config);
  });

  it('takes back a document as it was read', async () => {
    const { document } = await patch({});
    const again = await patch(document);
    expect(again.statusCode).toBe(200);
    expect(again.after.config).toEqual(stored.config);
  });

  it.each([
    ['/active', { active: null }],
    ['/config/baseUrl', { config: { baseUrl: null } }],
    ['/config/baseUrl', { config: { baseUrl: 'https://127.0.0.1/' } }],
    ['/provider', { provider: 'email' }],
    ['/provider', { provider: null }],
    ['/colour', { colour: 'red' }],
    ['/settings/actions/message.sent', { settings: { actions: { 'message.sent': true } } }],
    ['/settings/onFatalError', { settings: { onFatalError: 'stop' } }],
    ['', null],
    ['', ['active']],
  ])('is refused when the result would be wrong at %j: %j', async (pointer, body) => {
    const { statusCode, document, after } = await patch(body);
    expect(statusCode).toBe(422);
    expect(document.errors).toMatchObject([{ pointer }]);
    expect(after).toEqual(stored);
  });

  it('is refused, and does not fail, however deep it is nested', async () => {
    const { send } = changingHandlers({ stored });
    for (const depth of [100, 1_000, 2_000, 5_000, 10_000]) {
      const text = `{"settings":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
      expect([400, 422], `${depth} deep`).toContain((await send('PATCH', { text })).statusCode);
    }
  });

  it.each(['application/merge-patch+json', 'application/merge-patch+json; charset=utf-8'])(
    'may be sent as %s',
    async (type) => {
      const { statusCode } = await patch({ active: false }, { 'content-type': type });
      expect(statusCode).toBe(200);
    },
  );

  it('may not be sent as another kind of patch', async () => {
    const headers = { 'content-type': 'application/json-patch+json' };
    const { send } = changingHandlers({ stored });
    const result = await send('PATCH', { body: [], headers });
    expect(result.statusCode).toBe(415);
    expect(documentOf(result).detail).toContain('application/merge-patch+json');
  });

  it('logs who changed what', async () => {
    const { logger } = await patch({ active: false });
    expect(logger.named('integration.patched')).toEqual([
      { account: 'acme', user: 'usr_1', integration: '0123456789Ab' },
    ]);
  });
});
