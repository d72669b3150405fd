import { describe, expect, it } from 'vitest';
import { webhookTestResource } from '../../../../core/delivery/resources/send-resources.ts';
import { NOT_AN_EVENT_TYPE } from '../../../../core/event/event-types.ts';
import { TEST_EVENT } from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { testAndRecoverHandlers } from '../../../support/lambdas/test-and-recover-handlers.ts';

const RECEIVED = { eventType: 'message.received' };

const answering = (status: number, text = '') =>
  new ScriptedWebhookEndpoint(() => answered(status, text));

describe('POST /integrations/{id}/test', () => {
  it('shows what was sent, the signature included, and what came back', async () => {
    const endpoint = answering(500, 'no such table');
    const { post } = testAndRecoverHandlers({ endpoint });
    const { statusCode, headers, body } = await post('test', { body: RECEIVED });
    expect([statusCode, headers?.['Cache-Control']]).toEqual([200, 'no-store']);
    const [request] = endpoint.requests;
    expect(webhookTestResource.parse(JSON.parse(body))).toEqual({
      '@context': '/contexts/WebhookTest.jsonld',
      '@type': 'WebhookTest',
      integration: '/integrations/0123456789Ab',
      delivery: `/integrations/0123456789Ab/deliveries/${TEST_EVENT}`,
      eventType: 'message.received',
      request,
      attempt: {
        '@type': 'Attempt',
        number: 1,
        trigger: 'test',
        startedAt: expect.stringMatching(/^2026-/),
        durationMs: 0,
        outcome: 'fatal',
        statusCode: 500,
        response: 'no such table',
      },
    });
    expect(request?.headers).toHaveProperty('X-Service-Signature');
  });

  it('says in words why there was no response', async () => {
    const endpoint = new ScriptedWebhookEndpoint(() => ({
      kind: 'unanswered',
      reason: 'connection-refused',
    }));
    const document = documentOf(
      await testAndRecoverHandlers({ endpoint }).post('test', { body: RECEIVED }),
    );
    const { attempt } = webhookTestResource.parse(document);
    expect(attempt).toMatchObject({ outcome: 'transient', reason: 'the connection was refused' });
    expect(attempt).not.toHaveProperty('response');
  });

  it('logs who tested, and the attempt, but nothing of what was sent or answered', async () => {
    const { post, logger, metrics } = testAndRecoverHandlers({
      endpoint: answering(200, 'confidential'),
    });
    const request = documentOf(await post('test', { body: RECEIVED })).request;
    expect(logger.lines.map(({ name }) => name)).toEqual([
      'delivery.attempted',
      'integration.tested',
    ]);
    expect(logger.named('integration.tested')).toEqual([
      {
        account: 'acme',
        user: 'usr_1',
        integration: '0123456789Ab',
        event: TEST_EVENT,
        eventType: 'message.received',
        outcome: 'delivered',
      },
    ]);
    const { headers } = request as { headers: Record<string, string> };
    for (const secret of ['confidential', 'Hello', headers['X-Service-Signature'] ?? '?']) {
      expect(logger.text).not.toContain(secret);
    }
    metrics.flush();
    expect(metrics.flushed).toEqual({});
  });

  it('logs that the attempt is not in the delivery log', async () => {
    const { post, log, logger } = testAndRecoverHandlers();
    log.write = () => Promise.reject(new Error('throttled'));
    expect(await post('test', { body: RECEIVED })).toMatchObject({ statusCode: 200 });
    expect(logger.named('attempt.not_recorded')).toMatchObject([{ error: 'Error: throttled' }]);
  });

  it('refuses an unknown event type by its member', async () => {
    const { post } = testAndRecoverHandlers();
    const result = await post('test', { body: { eventType: 'message.read' } });
    expect(result.statusCode).toBe(422);
    expect(documentOf(result).errors).toEqual([
      { pointer: '/eventType', detail: NOT_AN_EVENT_TYPE },
    ]);
  });
});
