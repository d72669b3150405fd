import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { aDeliveringHandler } from '../../../support/lambdas/delivering-handler.ts';
import { aBatch, deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';
import { untouchable } from '../../../support/untouchable.ts';

const ALL_DONE = { batchItemFailures: [] };
const INTEGRATION = aDelivery().integration;

/** A log of one delivery, whose attempt was answered so. */
const aLogOf = async (statusCode: number): Promise<InMemoryDeliveryLog> => {
  const deliveryLog = new InMemoryDeliveryLog();
  const startedAt = new Date('2026-11-20T11:00:00Z');
  await deliveryLog.record(anAttempt({ startedAt }, answered(statusCode)));
  return deliveryLog;
};

const FAILED = {
  kind: 'failed',
  since: '2026-11-20T11:30:00.000Z',
  lastAttemptAt: '2026-11-20T11:30:00.000Z',
  nextAttemptAt: '2026-11-20T12:30:00.000Z',
} as const;

const AGAIN = deliveryRecord('m1', aDelivery(), { receiveCount: 2 });
const REPLAY = deliveryRecord('m1', aDelivery({ trigger: 'replay' }));
const REROUTED = deliveryRecord('m1', aDelivery({ trigger: 'rerouted' }));
const MANUAL = deliveryRecord('m1', aDelivery({ trigger: 'manual' }));
const MANUAL_AGAIN = deliveryRecord('m1', aDelivery({ trigger: 'manual' }), { receiveCount: 2 });

describe('a delivery that has arrived', () => {
  it.each([
    ['whose message is received again', AGAIN],
    ['that is replayed', REPLAY],
    ['whose event was routed again', REROUTED],
  ])('is not sent again when it is one %s', async (_case, record) => {
    const { handler, logger } = aDeliveringHandler({
      deliveryLog: await aLogOf(200),
      endpoint: untouchable<WebhookEndpoint>('the endpoint'),
    });
    expect(await handler(aBatch(record))).toEqual(ALL_DONE);
    expect(logger.named('delivery.dropped')).toMatchObject([{ because: 'delivered-before' }]);
  });

  it.each([
    ['failed', anIntegration({ trouble: FAILED })],
    ['inactive', anIntegration({ active: false })],
  ])('is not stored to be sent later while its integration is %s', async (_state, stored) => {
    const { handler, logger, pendingEvents } = aDeliveringHandler({
      deliveryLog: await aLogOf(200),
      integrations: new InMemoryIntegrations(stored),
    });
    expect(await handler(aBatch(AGAIN))).toEqual(ALL_DONE);
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
    expect(logger.named('delivery.dropped')).toMatchObject([{ because: 'delivered-before' }]);
  });

  it('is no longer pending', async () => {
    const { handler, pendingEvents } = aDeliveringHandler({ deliveryLog: await aLogOf(200) });
    await pendingEvents.put(aDelivery({ priorAttempts: 1 }), { messageId: AGAIN.messageId });
    await handler(aBatch(AGAIN));
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('stays in the queue when it cannot be taken from the pending events', async () => {
    const { handler, pendingEvents } = aDeliveringHandler({ deliveryLog: await aLogOf(200) });
    Object.assign(pendingEvents, { removeOf: () => Promise.reject(new Error('throttled')) });
    const { batchItemFailures } = await handler(aBatch(AGAIN));
    expect(batchItemFailures).toHaveLength(1);
  });

  it.each([
    ['is wanted all the same', MANUAL],
    ['is wanted all the same, and received again', MANUAL_AGAIN],
  ])('is sent again when it %s', async (_case, record) => {
    const endpoint = new ScriptedWebhookEndpoint();
    const { handler, logger } = aDeliveringHandler({ deliveryLog: await aLogOf(200), endpoint });
    expect(await handler(aBatch(record))).toEqual(ALL_DONE);
    expect(endpoint.requests).toHaveLength(1);
    expect(logger.named('delivery.dropped')).toEqual([]);
  });
});

describe('a delivery that has not arrived', () => {
  it.each([
    ['received again', AGAIN],
    ['replayed', REPLAY],
    ['of an event that was routed again', REROUTED],
  ])('is sent when it is %s', async (_case, record) => {
    const endpoint = new ScriptedWebhookEndpoint();
    const { handler } = aDeliveringHandler({ deliveryLog: await aLogOf(500), endpoint });
    expect(await handler(aBatch(record))).toEqual(ALL_DONE);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('is sent without a look at the log when it is new', async () => {
    const deliveryLog = Object.assign(new InMemoryDeliveryLog(), {
      read: async () => [{ logged: 'delivered' }],
    });
    const endpoint = new ScriptedWebhookEndpoint();
    const { handler } = aDeliveringHandler({ deliveryLog, endpoint });
    await handler(aBatch(deliveryRecord('m1', aDelivery())));
    expect(endpoint.requests).toHaveLength(1);
  });

  it('is sent when the log cannot tell, which is told', async () => {
    const deliveryLog = Object.assign(new InMemoryDeliveryLog(), {
      read: () => Promise.reject(new Error('throttled')),
    });
    const endpoint = new ScriptedWebhookEndpoint();
    const { handler, logger } = aDeliveringHandler({ deliveryLog, endpoint });
    expect(await handler(aBatch(AGAIN))).toEqual(ALL_DONE);
    expect(endpoint.requests).toHaveLength(1);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        level: 'warn',
        name: 'delivery_log.not_read',
        fields: {
          account: 'acme',
          integration: INTEGRATION,
          event: 'evt_01JD',
          eventType: 'message.received',
          error: 'Error: throttled',
        },
      },
    ]);
  });
});
