import { describe, expect, it } from 'vitest';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { aDeliveringHandler, kept } from '../../../support/lambdas/delivering-handler.ts';
import { aBatch, aRecord, deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';

const eventOf = (id: string) => ({ event: anEventReference(id) });

describe('the log of the function that delivers webhooks', () => {
  it('has one line for each attempt, with what an operator asks', async () => {
    const { handler, logger } = aDeliveringHandler({
      endpoint: new ScriptedWebhookEndpoint(() => answered(504)),
    });
    await handler(aBatch(deliveryRecord('m1', aDelivery(), { receiveCount: 2 })));
    expect(logger.named('delivery.attempted')).toEqual([
      {
        account: 'acme',
        integration: '0123456789Ab',
        event: 'evt_01JD',
        eventType: 'message.received',
        attempt: 2,
        trigger: 'backoff',
        outcome: 'transient',
        statusCode: 504,
        durationMs: 0,
        nextAttemptAt: '2026-11-20T12:00:30.000Z',
      },
    ]);
  });

  it('warns of a fault that nobody knows, which is an attempt like any other', async () => {
    const unknown = {
      kind: 'unanswered',
      reason: 'connection-failed',
      code: 'EMFILE',
      isUnknown: true,
    } as const;
    const { handler, logger } = aDeliveringHandler({
      endpoint: new ScriptedWebhookEndpoint(() => unknown),
    });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(kept('m1'));
    expect(logger.named('delivery.attempted')).toMatchObject([{ outcome: 'transient' }]);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        name: 'endpoint.unknown_fault',
        fields: {
          account: 'acme',
          integration: '0123456789Ab',
          event: 'evt_01JD',
          eventType: 'message.received',
          reason: 'connection-failed',
          code: 'EMFILE',
        },
      },
    ]);
  });

  it('has no warning of a fault that has a reason', async () => {
    const { handler, logger } = aDeliveringHandler({
      endpoint: new ScriptedWebhookEndpoint(() => ({
        kind: 'unanswered',
        reason: 'tls-failure',
        code: 'CERT_HAS_EXPIRED',
      })),
    });
    await handler(aBatch(deliveryRecord('m1', aDelivery())));
    expect(logger.lines.filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('tells once in a batch that an integration failed, and of each event that is stored as pending', async () => {
    const { handler, logger } = aDeliveringHandler({
      endpoint: new ScriptedWebhookEndpoint(() => answered(500)),
    });
    await handler(
      aBatch(
        deliveryRecord('m1', aDelivery(eventOf('a'))),
        deliveryRecord('m2', aDelivery(eventOf('b'))),
      ),
    );
    expect(logger.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        name: 'integration.failed',
        fields: { account: 'acme', integration: '0123456789Ab', statusCode: 500 },
      },
    ]);
    expect(logger.named('delivery.attempted')).toHaveLength(2);
    expect(logger.named('delivery.pending')).toMatchObject([{ event: 'a' }, { event: 'b' }]);
  });

  it('tells that an integration became busy, and not of every probe that finds it so', async () => {
    const { handler, logger } = aDeliveringHandler({
      endpoint: new ScriptedWebhookEndpoint(() => answered(504)),
      integrations: new InMemoryIntegrations(
        anIntegration({
          streak: { since: '2026-11-20T11:59:00.000Z', transients: 0, refusals: 1 },
        }),
      ),
      busyAfter: 1,
    });
    await handler(aBatch(deliveryRecord('m1', aDelivery())));
    await handler(aBatch(deliveryRecord('m1', aDelivery(), { receiveCount: 2 })));
    expect(logger.named('integration.busy')).toEqual([
      { account: 'acme', integration: '0123456789Ab', statusCode: 504 },
    ]);
    expect(logger.named('delivery.attempted')).toHaveLength(2);
  });

  it('tells that the trouble of an integration ended', async () => {
    const busy = anIntegration({
      streak: { since: '2026-11-20T10:59:00.000Z', transients: 20, refusals: 0 },
      trouble: {
        kind: 'busy',
        since: '2026-11-20T11:00:00.000Z',
        statusCode: 504,
        lastAttemptAt: '2026-11-20T11:00:00.000Z',
        nextAttemptAt: '2026-11-20T12:00:00.000Z',
      },
    });
    const deliveryLog = new InMemoryDeliveryLog();
    const nextAttemptAt = new Date('2026-11-20T12:00:00.000Z');
    await deliveryLog.record(anAttempt({ nextAttemptAt }, answered(504)));
    const { handler, logger, metrics } = aDeliveringHandler({
      integrations: new InMemoryIntegrations(busy),
      deliveryLog,
    });
    await handler(aBatch(deliveryRecord('m1', aDelivery(), { receiveCount: 2 })));
    expect(logger.named('integration.trouble_ended')).toEqual([
      { account: 'acme', integration: '0123456789Ab' },
    ]);
    expect(metrics.flushed).toEqual({ DeliveriesDelivered: 1, TroublesEnded: 1 });
  });

  it('has no body, secret or signature, whatever happens', async () => {
    const config = {
      baseUrl: 'https://hooks.example.com/PRIVATE-path',
      webhookSecret: 'PRIVATE webhook secret',
      clientSecret: 'PRIVATE client secret',
    };
    const endpoint = new ScriptedWebhookEndpoint(({ headers }) => {
      const event = headers['webhook-id']?.split('/').at(-1);
      if (event === 'fault') throw new Error('PRIVATE header');
      return answered(event === 'refused' ? 500 : 200, 'PRIVATE answer');
    });
    const { handler, logger, pendingEvents } = aDeliveringHandler({
      integrations: new InMemoryIntegrations(anIntegration({ config })),
      endpoint,
      deliveryLog: Object.assign(new InMemoryDeliveryLog(), {
        write: () => Promise.reject(new Error('throttled')),
      }),
      deadLetters: new InMemoryDeadLetters(),
    });
    Object.assign(pendingEvents, {
      put: () => Promise.reject(new Error('throttled')),
    });
    const body = '{"data":"PRIVATE-4711"}';
    const records = ['delivered', 'refused', 'fault'].map((id) =>
      deliveryRecord(id, aDelivery({ body, ...eventOf(id) })),
    );
    const answer = await handler(aBatch(...records, aRecord('m4', body)));
    expect(answer).toEqual(kept('refused', 'fault'));
    expect(logger.lines.length).toBeGreaterThanOrEqual(6);
    expect(logger.text).not.toContain('PRIVATE');
    const signatures = endpoint.requests.flatMap(({ headers }) => [
      headers['X-Service-Signature'] ?? '?',
      headers['webhook-signature'] ?? '?',
    ]);
    for (const signature of signatures) expect(logger.text).not.toContain(signature);
  });
});
