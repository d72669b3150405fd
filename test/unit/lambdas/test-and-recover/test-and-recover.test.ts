import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import { SEND_ROUTES } from '../../../../lambdas/api/routes.ts';
import { attemptOf, deliveryAt } from '../../../support/delivery/logged-deliveries.ts';
import { TEST_EVENT } from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { A_MESSAGE, aDelivery } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';
import { CALLS_PER_MINUTE } from '../../../support/lambdas/api-parts.ts';

const PATH = '/integrations/0123456789Ab';
const USER = { account: 'acme', user: 'usr_1', integration: '0123456789Ab' };
const FAILED = troubled('failed');

const answering = (status: number, text = '') =>
  new ScriptedWebhookEndpoint(() => answered(status, text));

const sending = (stored = anIntegration(), endpoint: WebhookEndpoint = answering(200)) => {
  const { parts, observation, call } = apiOverMemory([stored], { endpoint });
  const post = (verb: string, body?: unknown) => call('POST', `${PATH}/${verb}`, { body });
  return { ...parts, ...observation, post };
};

describe('POST /integrations/{id}/test', () => {
  const testing = (endpoint?: WebhookEndpoint) => {
    const made = sending(anIntegration(), endpoint);
    return { ...made, send: () => made.post('test', { eventType: 'message.received' }) };
  };

  it('shows the request, with the signature, and the response', async () => {
    const endpoint = answering(500, 'no such table');
    const { status, headers, document } = await testing(endpoint).send();
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const [request] = endpoint.requests;
    expect(request?.headers).toHaveProperty('X-Service-Signature');
    expect(document).toEqual({
      '@context': '/contexts/WebhookTest.jsonld',
      '@type': 'WebhookTest',
      integration: PATH,
      delivery: `${PATH}/deliveries/${TEST_EVENT}`,
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
        explanation: '/reasons/status-500',
        response: 'no such table',
      },
    });
  });

  it('explains in words why there was no response', async () => {
    const refused = { kind: 'unanswered', reason: 'connection-refused' } as const;
    const { document } = await testing(new ScriptedWebhookEndpoint(() => refused)).send();
    const attempt = {
      outcome: 'transient',
      reason: 'connection-refused',
      detail: 'the connection was refused',
      explanation: '/reasons/connection-refused',
    };
    expect(document).toMatchObject({ attempt });
    expect(document.attempt).not.toHaveProperty('response');
  });

  it('logs the user and the attempt, but no request and no response', async () => {
    const { logger, metrics, send } = testing(answering(200, 'confidential'));
    const { request } = (await send()).document;
    const names = logger.lines.map(({ name }) => name);
    expect(names).toEqual(['delivery.attempted', 'integration.tested']);
    const tested = { event: TEST_EVENT, eventType: 'message.received', outcome: 'delivered' };
    expect(logger.named('integration.tested')).toEqual([{ ...USER, ...tested }]);
    const { headers } = request as { headers: Record<string, string> };
    for (const secret of ['confidential', 'Hello', headers['X-Service-Signature'] ?? '?']) {
      expect(logger.text).not.toContain(secret);
    }
    metrics.flush();
    expect(metrics.flushed).toEqual({});
  });

  it('logs that the delivery log lacks the attempt', async () => {
    const { log, logger, send } = testing();
    log.write = () => Promise.reject(new Error('throttled'));
    expect((await send()).status).toBe(200);
    expect(logger.named('attempt.not_recorded')).toMatchObject([{ error: 'Error: throttled' }]);
  });
});

describe('POST /integrations/{id}/retry', () => {
  const retrying = async (
    stored = FAILED,
    endpoint = answering(200),
    pending = [aDelivery({ priorAttempts: 3 })],
  ) => {
    const made = sending(stored, endpoint);
    for (const delivery of pending) await made.pendingEvents.put(delivery, A_MESSAGE);
    return { ...made, retry: () => made.post('retry') };
  };

  it.each([
    [200, 'recovered', 'active', { DeliveriesDelivered: 1, TroublesEnded: 1 }],
    [500, 'still-failing', 'failed', { DeliveriesFatal: 1 }],
  ])('shows and counts its attempt: %i', async (statusCode, result, status, counted) => {
    const { retry, metrics } = await retrying(FAILED, answering(statusCode, 'in words'));
    const reply = await retry();
    expect(reply.status).toBe(200);
    expect(reply.document).toMatchObject({
      ...{ integration: PATH, result, status, delivery: `${PATH}/deliveries/evt_01JD` },
      attempt: { number: 4, trigger: 'manual', statusCode, response: 'in words' },
    });
    expect(metrics.flushed).toEqual(counted);
  });

  it.each([
    ['nothing-to-retry', anIntegration(), 'no-trouble', {}],
    ['nothing-to-retry', FAILED, 'nothing-pending', { TroublesEnded: 1 }],
    ['recovered', troubled('waiting'), 'woken', {}],
  ])('shows %s without an attempt', async (result, stored, logged, counted) => {
    const endpoint = answering(200);
    const { retry, logger, metrics, replays } = await retrying(stored, endpoint, []);
    const { '@context': _, ...document } = (await retry()).document;
    expect(document).toEqual({ '@type': 'Retry', integration: PATH, result, status: 'active' });
    expect(endpoint.requests).toEqual([]);
    if (logged === 'woken') expect(replays.requested).toHaveLength(1);
    expect(logger.named('integration.retried')).toEqual([{ ...USER, result: logged }]);
    expect(metrics.flushed).toEqual(counted);
  });

  it('shows the last of its attempts, and logs and counts each', async () => {
    const pending = [1, 2, 3, 4].map((second) => deliveryAt(second));
    const { retry, logger, metrics } = await retrying(FAILED, answering(422), pending);
    expect((await retry()).document).toMatchObject({
      result: 'still-failing',
      delivery: `${PATH}/deliveries/evt_2`,
    });
    const attempted = logger.named('delivery.attempted').map(({ event }) => event);
    expect(attempted).toEqual(['evt_1', 'evt_4', 'evt_2']);
    expect(metrics.flushed).toEqual({ DeliveriesFatal: 3 });
  });

  it('logs the user, the attempt and the end of the trouble', async () => {
    const { retry, logger } = await retrying();
    await retry();
    expect(logger.lines.map(({ name }) => name)).toEqual([
      'integration.retried',
      'delivery.attempted',
      'integration.trouble_ended',
    ]);
    expect(logger.named('integration.retried')).toEqual([{ ...USER, result: 'retried' }]);
  });

  it('answers 404 if the integration was deleted meanwhile, and counts it', async () => {
    const removing = new ScriptedWebhookEndpoint(async () => {
      await made.integrations.remove(FAILED);
      return answered(500);
    });
    const made = await retrying(FAILED, removing);
    expect((await made.retry()).status).toBe(404);
    expect(made.metrics.flushed).toEqual({ DeliveriesFatal: 1 });
  });
});

describe('POST /integrations/{id}/deliveries/{event}/resend', () => {
  it('accepts, shows the delivery as the log has it, and logs the user', async () => {
    const { post, log, queuedIds, logger } = sending();
    await log.list([aDelivery()]);
    await log.record(attemptOf(aDelivery(), 200));
    const { status, document } = await post('deliveries/evt_01JD/resend');
    expect(status).toBe(202);
    const shown = { id: `${PATH}/deliveries/evt_01JD`, outcome: 'delivered' };
    expect(document).toMatchObject(shown);
    expect(queuedIds()).toEqual(['evt_01JD']);
    const event = { event: 'evt_01JD', eventType: 'message.received' };
    expect(logger.named('delivery.resent')).toEqual([{ ...USER, ...event }]);
  });
});

describe('POST /integrations/{id}/recover', () => {
  it.each([anIntegration(), FAILED])('accepts, and logs the user', async (stored) => {
    const { post, replays, logger } = sending(stored);
    const { status, document } = await post('recover', { since: '2026-11-20T12:00:00Z' });
    expect(status).toBe(202);
    expect(document).toEqual({
      '@context': '/contexts/Recovery.jsonld',
      '@type': 'Recovery',
      integration: PATH,
      since: '2026-11-20T12:00:00.000Z',
      requestedAt: '2026-11-20T12:30:00.000Z',
      status: 'active',
    });
    expect(replays.requested).toHaveLength(1);
    const endedTrouble = stored.trouble?.kind === 'failed';
    const since = '2026-11-20T12:00:00.000Z';
    expect(logger.named('recovery.requested')).toEqual([{ ...USER, since, endedTrouble }]);
  });
});

describe('The costly calls of an account', () => {
  const CALLS = SEND_ROUTES.map(({ route: { path } }) =>
    path.replace('{id}', '0123456789Ab').replace('{event}', 'evt_1'),
  );

  it.each(CALLS)('are counted, whatever their answer: POST %s', async (path) => {
    const { parts, call } = apiOverMemory([anIntegration()]);
    const caller = { account: 'globex', body: {} };
    for (let calls = 0; calls < CALLS_PER_MINUTE; calls += 1) {
      const { status } = await call('POST', path, { ...caller, user: `usr_${calls}` });
      expect([404, 422]).toContain(status);
    }
    const refused = await call('POST', path, caller);

    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '60' },
      document: { type: '/problems/throttled' },
    });
    expect(await parts.budget.spend('acme')).toBe(true);
  });
});
