import { describe, expect, it } from 'vitest';
import { createHandler as creating } from '../../../../lambdas/api/integrations/create-integration/handler.ts';
import { aCreator } from '../../../support/integration/integration-creator.ts';
import { aDocument } from '../../../support/integration/integrations.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const now = () => new Date('2026-11-21T08:00:00.000Z');

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
});
