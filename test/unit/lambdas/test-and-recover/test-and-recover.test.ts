import { describe, expect, it } from 'vitest';
import { deliveryResource } from '../../../../core/delivery/resources/delivery-resource.ts';
import {
  recoveryResource,
  retryResource,
} from '../../../../core/delivery/resources/send-resources.ts';
import { attemptOf, deliveryAt } from '../../../support/delivery/logged-deliveries.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { A_MESSAGE, aDelivery } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { testAndRecoverHandlers } from '../../../support/lambdas/test-and-recover-handlers.ts';

const RECEIVED = { eventType: 'message.received' };
const SINCE_NOON = { since: '2026-11-20T12:00:00Z' };
const BODIES = { test: RECEIVED, retry: undefined, resend: undefined, recover: SINCE_NOON };
const VERBS = ['test', 'retry', 'resend', 'recover'] as const;

const answering = (status: number, text = '') =>
  new ScriptedWebhookEndpoint(() => answered(status, text));

describe('POST /integrations/{id}/retry', () => {
  it.each([
    [200, 'recovered', 'active'],
    [500, 'still-failing', 'failed'],
  ])('shows its attempt and the status after it: %i', async (status, result, after) => {
    const endpoint = answering(status, 'words of the endpoint');
    const { post, pendingEvents } = testAndRecoverHandlers({
      stored: troubled('failed'),
      endpoint,
    });
    await pendingEvents.put(aDelivery({ priorAttempts: 3 }), A_MESSAGE);
    const { statusCode, body } = await post('retry');
    expect(statusCode).toBe(200);
    expect(retryResource.parse(JSON.parse(body))).toMatchObject({
      integration: '/integrations/0123456789Ab',
      result,
      status: after,
      delivery: '/integrations/0123456789Ab/deliveries/evt_01JD',
      attempt: {
        number: 4,
        trigger: 'manual',
        statusCode: status,
        response: 'words of the endpoint',
      },
    });
  });

  it.each([
    ['well', anIntegration()],
    ['failed with nothing pending', troubled('failed')],
  ])('shows that there was nothing to retry: %s', async (_state, stored) => {
    const { post } = testAndRecoverHandlers({ stored });
    expect(retryResource.parse(documentOf(await post('retry')))).toEqual({
      '@context': '/contexts/Retry.jsonld',
      '@type': 'Retry',
      integration: '/integrations/0123456789Ab',
      result: 'nothing-to-retry',
      status: 'active',
    });
  });

  it('shows the last of its attempts, and logs and counts each', async () => {
    const { post, pendingEvents, logger, metrics } = testAndRecoverHandlers({
      stored: troubled('failed'),
      endpoint: answering(422),
    });
    for (const second of [1, 2, 3, 4]) await pendingEvents.put(deliveryAt(second), A_MESSAGE);
    expect(retryResource.parse(documentOf(await post('retry')))).toMatchObject({
      result: 'still-failing',
      delivery: '/integrations/0123456789Ab/deliveries/evt_3',
    });
    const attempted = logger.named('delivery.attempted').map(({ event }) => event);
    expect(attempted).toEqual(['evt_1', 'evt_4', 'evt_3']);
    expect(metrics.flushed).toEqual({ DeliveriesFatal: 3 });
  });

  it('has what waits beside the other events sent, without an attempt of its own', async () => {
    const endpoint = answering(200);
    const { post, replays, logger, metrics } = testAndRecoverHandlers({
      stored: troubled('waiting'),
      endpoint,
    });
    expect(retryResource.parse(documentOf(await post('retry')))).toEqual({
      '@context': '/contexts/Retry.jsonld',
      '@type': 'Retry',
      integration: '/integrations/0123456789Ab',
      result: 'recovered',
      status: 'active',
    });
    expect(endpoint.requests).toEqual([]);
    expect(replays.requested).toEqual([{ account: 'acme', id: '0123456789Ab' }]);
    expect(logger.named('integration.retried')).toMatchObject([{ result: 'woken' }]);
    expect(metrics.flushed).toEqual({});
  });

  it('logs who retried, and counts the attempt and the recovery', async () => {
    const { post, pendingEvents, logger, metrics } = testAndRecoverHandlers({
      stored: troubled('failed'),
    });
    await pendingEvents.put(aDelivery(), A_MESSAGE);
    await post('retry');
    expect(logger.lines.map(({ name }) => name)).toEqual([
      'integration.retried',
      'delivery.attempted',
      'integration.trouble_ended',
    ]);
    expect(logger.named('integration.retried')).toEqual([
      { account: 'acme', user: 'usr_1', integration: '0123456789Ab', result: 'retried' },
    ]);
    expect(metrics.flushed).toEqual({ DeliveriesDelivered: 1, TroublesEnded: 1 });
  });

  it('counts no recovery of an integration that was well, nor of one that still fails', async () => {
    const well = testAndRecoverHandlers();
    await well.post('retry');
    expect(well.metrics.flushed).toEqual({});
    const failing = testAndRecoverHandlers({
      stored: troubled('failed'),
      endpoint: answering(500),
    });
    await failing.pendingEvents.put(aDelivery(), A_MESSAGE);
    await failing.post('retry');
    expect(failing.metrics.flushed).toEqual({ DeliveriesFatal: 1 });
  });

  it('answers 404 when the integration was deleted during the attempt, and reports it', async () => {
    const stored = troubled('failed');
    const { post, integrations, pendingEvents, metrics } = testAndRecoverHandlers({
      stored,
      endpoint: new ScriptedWebhookEndpoint(async () => {
        await integrations.remove(stored);
        return answered(500);
      }),
    });
    await pendingEvents.put(aDelivery(), A_MESSAGE);
    expect(await post('retry')).toMatchObject({ statusCode: 404 });
    expect(metrics.flushed).toEqual({ DeliveriesFatal: 1 });
  });
});

describe('POST /integrations/{id}/deliveries/{event}/resend', () => {
  it('accepts, shows the delivery as the log has it, and logs who asked', async () => {
    const { post, log, queuedIds, logger } = testAndRecoverHandlers();
    await log.list([aDelivery()]);
    await log.record(attemptOf(aDelivery(), 200));
    const { statusCode, body } = await post('resend');
    expect(statusCode).toBe(202);
    expect(deliveryResource.parse(JSON.parse(body))).toMatchObject({
      id: '/integrations/0123456789Ab/deliveries/evt_01JD',
      outcome: 'delivered',
    });
    expect(queuedIds()).toEqual(['evt_01JD']);
    expect(logger.named('delivery.resent')).toEqual([
      {
        account: 'acme',
        integration: '0123456789Ab',
        event: 'evt_01JD',
        eventType: 'message.received',
        user: 'usr_1',
      },
    ]);
  });

  it('answers 404 for a delivery that is not in the log', async () => {
    expect(await testAndRecoverHandlers().post('resend')).toMatchObject({ statusCode: 404 });
  });
});

describe('POST /integrations/{id}/recover', () => {
  it.each([anIntegration(), troubled('failed')])(
    'accepts, and shows what began',
    async (stored) => {
      const { post, replays, logger } = testAndRecoverHandlers({ stored });
      const { statusCode, body } = await post('recover', { body: SINCE_NOON });
      expect(statusCode).toBe(202);
      expect(recoveryResource.parse(JSON.parse(body))).toEqual({
        '@context': '/contexts/Recovery.jsonld',
        '@type': 'Recovery',
        integration: '/integrations/0123456789Ab',
        since: '2026-11-20T12:00:00.000Z',
        requestedAt: '2026-11-20T12:30:00.000Z',
        status: 'active',
      });
      expect(replays.requested).toHaveLength(1);
      expect(logger.named('recovery.requested')).toEqual([
        {
          account: 'acme',
          user: 'usr_1',
          integration: '0123456789Ab',
          since: '2026-11-20T12:00:00.000Z',
          endedTrouble: stored.trouble?.kind === 'failed',
        },
      ]);
    },
  );

  it('refuses an instant in the future by its member', async () => {
    const result = await testAndRecoverHandlers().post('recover', {
      body: { since: '2026-11-20T12:31:00Z' },
    });
    expect(result.statusCode).toBe(422);
    expect(documentOf(result).errors).toEqual([
      { pointer: '/since', detail: 'must not be in the future' },
    ]);
  });
});

describe('a test, a retry, a resend and a recovery', () => {
  it.each(VERBS)(
    'is refused while the integration is inactive, but for tests: %s',
    async (verb) => {
      const { post, log } = testAndRecoverHandlers({ stored: anIntegration({ active: false }) });
      await log.list([aDelivery()]);
      const result = await post(verb, { body: BODIES[verb] });
      expect(result.statusCode).toBe(verb === 'test' ? 200 : 409);
      if (verb === 'test') return;
      expect(documentOf(result)).toMatchObject({
        type: 'urn:service:problem:integration-inactive',
      });
    },
  );
});
