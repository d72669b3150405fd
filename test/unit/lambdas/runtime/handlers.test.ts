import { describe, expect, it } from 'vitest';
import { buildGetSignature } from '../../../../core/directory/get-signature.ts';
import { buildGetIntegration } from '../../../../core/integration/read-integration.ts';
import { createHandler as creating } from '../../../../lambdas/api/integrations/create-integration/handler.ts';
import { createHandler as gettingIntegration } from '../../../../lambdas/api/integrations/get-integration/handler.ts';
import { createHandler as gettingSignature } from '../../../../lambdas/api/signatures/get-signature/handler.ts';
import { InMemoryUserSignatures } from '../../../support/directory/in-memory-user-signatures.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { aCreator } from '../../../support/integration/integration-creator.ts';
import { aDocument, anIntegration } from '../../../support/integration/integrations.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const now = () => new Date('2026-11-21T08:00:00.000Z');
const MEMBER = { user: 'usr_2', account: 'acme', role: 'member' };

describe('POST /{account_name}/integrations', () => {
  const post = async (document: unknown, headers: Record<string, string> = {}) => {
    const { create, integrations } = aCreator();
    const logger = new RecordingLogger();
    const handler = creating({ createIntegration: create, now, logger });
    const event = () =>
      anApiEvent({
        method: 'POST',
        path: '/acme/integrations',
        pathParameters: { account_name: 'acme' },
        headers: { 'content-type': 'application/vnd.service+jsonld', ...headers },
        body: JSON.stringify(document),
      });
    return { result: await call(handler, event()), handler, event, integrations, logger };
  };

  it('creates an integration and shows it with its secret, ETag and Location', async () => {
    const { result } = await post(aDocument());
    expect(result).toMatchObject({
      statusCode: 201,
      headers: { Location: '/integrations/id0000000001', ETag: '"id0000000001-1"' },
    });
    expect(documentOf(result)).toMatchObject({
      '@type': 'Integration',
      id: '/integrations/id0000000001',
      status: 'active',
      config: { webhookSecret: 'made secret 1' },
    });
  });

  it('logs who created what, and no secret', async () => {
    const config = {
      baseUrl: 'https://hooks.example.com/',
      webhookSecret: 'PRIVATE webhook secret',
    };
    const { logger } = await post(aDocument({ config }));
    expect(logger.lines).toEqual([
      {
        level: 'info',
        name: 'integration.created',
        fields: { account: 'acme', user: 'usr_1', integration: 'id0000000001' },
      },
    ]);
  });

  it('answers the same again to the same Idempotency-Key', async () => {
    const { result, handler, event, integrations } = await post(aDocument(), {
      'idempotency-key': 'k1',
    });
    expect(await call(handler, event())).toEqual(result);
    expect(integrations.all).toHaveLength(1);
  });

  it('answers 422 with a pointer to what is wrong', async () => {
    const { result, integrations } = await post(
      aDocument({ config: { baseUrl: 'http://x.test' } }),
    );
    expect(result.statusCode).toBe(422);
    expect(documentOf(result).errors).toEqual([
      { pointer: '/config/baseUrl', detail: 'must be an https:// URL' },
    ]);
    expect(integrations.all).toEqual([]);
  });
});

describe('GET /integrations/{id}', () => {
  const integrations = new InMemoryIntegrations(anIntegration());
  const handler = gettingIntegration({
    getIntegration: buildGetIntegration({ integrations }),
    now,
    logger: new RecordingLogger(),
  });
  const get = (id: string, authorizer: Record<string, unknown> = MEMBER) =>
    call(handler, anApiEvent({ pathParameters: { id }, authorizer }));

  it('shows a member the integration, without its secret', async () => {
    const result = await get('0123456789Ab');
    expect(result).toMatchObject({ statusCode: 200, headers: { ETag: '"0123456789Ab-1"' } });
    expect(documentOf(result)).toMatchObject({ config: { webhookSecret: '[FILTERED]' } });
  });

  it('answers the same to an unknown id and to another account’s', async () => {
    const unknown = await get('unknown00000');
    const others = await get('0123456789Ab', { ...MEMBER, account: 'globex' });
    expect(unknown.statusCode).toBe(404);
    expect(others).toEqual(unknown);
  });
});

describe('GET /users/{user}/signature', () => {
  const signatures = new InMemoryUserSignatures()
    .add('usr_1', 'acme', 'Best regards')
    .add('usr_3', 'globex', 'Yours');
  const handler = gettingSignature({
    getSignature: buildGetSignature({ signatures }),
    logger: new RecordingLogger(),
  });
  const get = (user: string) =>
    call(handler, anApiEvent({ pathParameters: { user }, authorizer: MEMBER }));

  it('shows any user of the account the Signature', async () => {
    const result = await get('usr_1');
    expect(result.statusCode).toBe(200);
    expect(documentOf(result)).toEqual({
      '@context': '/contexts/Signature.jsonld',
      '@type': 'Signature',
      id: '/users/usr_1/signature',
      content: 'Best regards',
    });
  });

  it('answers the same to an unknown user and to another account’s', async () => {
    const unknown = await get('usr_4');
    expect(unknown.statusCode).toBe(404);
    expect(await get('usr_3')).toEqual(unknown);
  });
});
