import { describe, expect, it } from 'vitest';
import { subscribedTo } from '../../../../core/integration/integration.ts';
import { unsealed } from '../../../support/integration/in-memory-secrets.ts';
import { aDocument, anIntegration } from '../../../support/integration/integrations.ts';
import { documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { changingHandlers } from '../../../support/lambdas/changing-handler.ts';

const { config } = anIntegration();
const withClientSecret = anIntegration({ config: { ...config, clientSecret: 'for clients' } });

const NEW_URL = 'https://new.example.com/hooks';
const replacement = (secrets: Record<string, unknown> = {}) =>
  aDocument({
    active: false,
    config: { baseUrl: NEW_URL, ...secrets },
    settings: { actions: { 'contact.created': true } },
  });

describe('PUT /integrations/{id}', () => {
  it('replaces what the caller sets, and answers with it and its new ETag', async () => {
    const { send, integrations } = changingHandlers();
    const result = await send('PUT', { body: replacement() });
    expect(result).toMatchObject({ statusCode: 200, headers: { ETag: '"0123456789Ab-2"' } });
    expect(documentOf(result)).toMatchObject({
      id: '/integrations/0123456789Ab',
      active: false,
      status: 'inactive',
      config: { baseUrl: NEW_URL, webhookSecret: '[FILTERED]' },
      settings: { actions: subscribedTo('contact.created'), onFatalError: 'pause' },
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-21T08:00:00.000Z',
    });
    expect(integrations.all.map(unsealed)).toMatchObject([
      { active: false, config: { baseUrl: NEW_URL } },
    ]);
  });

  it('pauses on a fatal error when it does not say otherwise, whatever was stored', async () => {
    const stored = anIntegration({
      settings: { ...anIntegration().settings, onFatalError: 'continue' },
    });
    const { send } = changingHandlers({ stored });
    const replaced = async (settings: object) =>
      documentOf(await send('PUT', { body: aDocument({ settings }) })).settings;
    expect(await replaced({ onFatalError: 'continue' })).toMatchObject({
      onFatalError: 'continue',
    });
    expect(await replaced({})).toMatchObject({ onFatalError: 'pause' });
  });

  it('keeps the webhook secret that it does not set, so that deliveries stay signed', async () => {
    for (const secrets of [{}, { webhookSecret: '[FILTERED]' }]) {
      const { send, integrations } = changingHandlers();
      const result = await send('PUT', { body: replacement(secrets) });
      expect(documentOf(result).config).toMatchObject({ webhookSecret: '[FILTERED]' });
      expect(integrations.all.map(unsealed)[0]?.config.webhookSecret).toBe(config.webhookSecret);
    }
  });

  it('shows the webhook secret that it sets', async () => {
    const { send, integrations } = changingHandlers();
    const webhookSecret = 'another secret of theirs';
    const result = await send('PUT', { body: replacement({ webhookSecret }) });
    expect(documentOf(result).config).toMatchObject({ webhookSecret });
    expect(integrations.all.map(unsealed)[0]?.config.webhookSecret).toBe(webhookSecret);
  });

  it.each([
    ['keeps', '[FILTERED]', 'for clients'],
    ['sets', 'another', 'another'],
    ['removes', undefined, undefined],
  ])('%s the client secret that it gives as %s', async (_verb, clientSecret, expected) => {
    const { send, integrations } = changingHandlers({ stored: withClientSecret });
    const result = await send('PUT', { body: replacement({ clientSecret }) });
    expect(result.statusCode).toBe(200);
    expect(result.body).not.toContain('another');
    expect(integrations.all.map(unsealed)[0]?.config.clientSecret).toBe(expected);
  });

  it('is refused a filtered client secret where none is stored', async () => {
    const { send } = changingHandlers();
    const result = await send('PUT', { body: replacement({ clientSecret: '[FILTERED]' }) });
    expect(result.statusCode).toBe(422);
    expect(documentOf(result).errors).toMatchObject([{ pointer: '/config/clientSecret' }]);
  });

  it.each([
    ['an address that is private', aDocument({ config: { baseUrl: 'https://10.0.0.1/' } })],
    ['a name that leads to one', aDocument({ config: { baseUrl: 'https://inside.test/' } })],
    ['another provider', aDocument({ provider: 'email' })],
    ['no config', aDocument({ config: undefined })],
    ['an unknown member', aDocument({ colour: 'red' })],
    ['no object', []],
  ])('is refused %s, and changes nothing', async (_case, body) => {
    const hosts = { 'inside.test': ['10.0.0.1'] };
    const { send, integrations } = changingHandlers({ hosts });
    expect((await send('PUT', { body })).statusCode).toBe(422);
    expect(integrations.all.map(unsealed)).toEqual([anIntegration()]);
  });

  it('ends a failure and has what is pending replayed', async () => {
    const failed = anIntegration({
      trouble: {
        kind: 'failed',
        since: '2026-11-20T12:00:00.000Z',
        statusCode: 500,
        lastAttemptAt: '2026-11-20T12:00:00.000Z',
        nextAttemptAt: '2026-11-20T13:00:00.000Z',
      },
    });
    const { send, replays } = changingHandlers({ stored: failed });
    const result = await send('PUT', { body: aDocument() });
    expect(documentOf(result)).toMatchObject({ status: 'active', isHealthy: true });
    expect(replays.requested).toEqual([{ account: 'acme', id: '0123456789Ab' }]);
  });

  it('logs who replaced what, and no secret', async () => {
    const { send, logger } = changingHandlers();
    await send('PUT', { body: replacement({ webhookSecret: 'PRIVATE webhook secret' }) });
    expect(logger.lines).toEqual([
      {
        level: 'info',
        name: 'integration.replaced',
        fields: { account: 'acme', user: 'usr_1', integration: '0123456789Ab' },
      },
    ]);
  });
});
