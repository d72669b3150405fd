import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import type { IntegrationReader } from '../../../../core/integration/integration.ts';
import { createBarrier } from '../../../support/barrier.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import {
  aDeliveringHandler,
  InMemoryMessageVisibility,
  kept,
} from '../../../support/lambdas/delivering-handler.ts';
import { aBatch, deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';
import { untouchable } from '../../../support/untouchable.ts';

const ALL_DONE = { batchItemFailures: [] };
const eventOf = (id: string) => ({ event: anEventReference(id) });

describe('the function that delivers webhooks', () => {
  it.each([
    [204, ALL_DONE],
    [500, ALL_DONE],
    [504, kept('m1')],
    [302, ALL_DONE],
  ])('answers the queue by a final %i as decided', async (statusCode, response) => {
    const { handler } = aDeliveringHandler({
      endpoint: new ScriptedWebhookEndpoint(() => answered(statusCode)),
    });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(response);
  });

  it('keeps a delivery that got no answer', async () => {
    const endpoint = new ScriptedWebhookEndpoint(() => ({
      kind: 'unanswered',
      reason: 'response-timeout',
    }));
    const { handler } = aDeliveringHandler({ endpoint });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(kept('m1'));
  });

  it('stores a delivery that was refused before it is done with it', async () => {
    const endpoint = new ScriptedWebhookEndpoint(() => answered(500));
    const { handler, pendingEvents, schedules } = aDeliveringHandler({ endpoint });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(ALL_DONE);
    expect(pendingEvents.of('0123456789Ab')).toEqual([
      aDelivery({ priorAttempts: 1, refusedAt: expect.any(String) }),
    ]);
    expect(schedules.all).toMatchObject([{ id: '0123456789Ab', epoch: 0 }]);
  });

  it('has what backs off come back when its delay is over, and nothing else', async () => {
    const endpoint = new ScriptedWebhookEndpoint(({ headers }) =>
      answered(headers['webhook-id']?.endsWith('/ok') ? 200 : 504),
    );
    const { handler, visibility } = aDeliveringHandler({ endpoint });
    const batch = aBatch(
      deliveryRecord('m1', aDelivery(eventOf('first'))),
      deliveryRecord('m2', aDelivery(eventOf('ok'))),
      deliveryRecord('m3', aDelivery(eventOf('fifth')), { receiveCount: 5 }),
    );
    expect(await handler(batch)).toEqual(kept('m1', 'm3'));
    expect(visibility.delaysMs).toEqual({ 'receipt of m1': 15_000, 'receipt of m3': 240_000 });
  });

  it('counts a delay from the attempt, not from the end of a slower one beside it', async () => {
    let nowMs = Date.parse('2026-11-20T12:00:00Z');
    const endpoint = new ScriptedWebhookEndpoint(async ({ headers }) => {
      if (!headers['webhook-id']?.endsWith('/slow')) return answered(504);
      await setImmediate();
      nowMs += 9_000;
      return answered(200);
    });
    const { handler, visibility } = aDeliveringHandler({ endpoint, now: () => new Date(nowMs) });
    const batch = aBatch(
      deliveryRecord('m1', aDelivery(eventOf('quick'))),
      deliveryRecord('m2', aDelivery(eventOf('slow'))),
    );
    expect(await handler(batch)).toEqual(kept('m1'));
    expect(visibility.delaysMs).toEqual({ 'receipt of m1': 6_000 });
  });

  it('has a delivery come back at once whose integration was changed meanwhile', async () => {
    const stored = anIntegration();
    const integrations = new InMemoryIntegrations(stored);
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace({ ...stored, epoch: 1 }, stored);
      return answered(500);
    });
    const { handler, visibility, pendingEvents } = aDeliveringHandler({ integrations, endpoint });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(kept('m1'));
    expect(visibility.delaysMs).toEqual({ 'receipt of m1': 0 });
    expect(pendingEvents.of(stored.id)).toEqual([]);
  });

  it('keeps a delivery whose visibility cannot be changed, and tells of it', async () => {
    const { handler, logger } = aDeliveringHandler({
      endpoint: new ScriptedWebhookEndpoint(() => answered(504)),
      visibility: new InMemoryMessageVisibility({ refused: ['receipt of m2'] }),
    });
    const batch = aBatch(
      deliveryRecord('m1', aDelivery(eventOf('a'))),
      deliveryRecord('m2', aDelivery(eventOf('b'))),
    );
    expect(await handler(batch)).toEqual(kept('m1', 'm2'));
    expect(logger.named('visibility.not_changed')).toEqual([
      { messageId: 'm2', delayMs: 15_000, code: 'ReceiptHandleIsInvalid' },
    ]);
  });

  it('counts attempts on from those before its message was sent', async () => {
    const { handler, logger } = aDeliveringHandler();
    const delivery = aDelivery({ trigger: 'replay', priorAttempts: 41 });
    await handler(aBatch(deliveryRecord('m1', delivery)));
    expect(logger.named('delivery.attempted')).toMatchObject([{ attempt: 42, trigger: 'replay' }]);
  });

  it('takes an attempt for the last when the window since its first receive is over', async () => {
    const endpoint = new ScriptedWebhookEndpoint(() => answered(504));
    const { handler, pendingEvents } = aDeliveringHandler({ endpoint });
    const record = deliveryRecord('m1', aDelivery(), { receiveCount: 20 });
    const twelveHoursAgo = Date.parse('2026-11-20T00:00:00.000Z');
    record.attributes.ApproximateFirstReceiveTimestamp = String(twelveHoursAgo);
    expect(await handler(aBatch(record))).toEqual(ALL_DONE);
    expect(pendingEvents.of('0123456789Ab')).toHaveLength(1);
  });

  it('counts what an operator watches, once for each batch', async () => {
    const endpoint = new ScriptedWebhookEndpoint(({ headers }) =>
      answered(Number(headers['webhook-id']?.split('/').at(-1))),
    );
    const { handler, metrics } = aDeliveringHandler({ endpoint });
    const statuses = ['200', '201', '504', '500', '500'];
    const records = statuses.map((status, index) =>
      deliveryRecord(`m${index}`, aDelivery(eventOf(status))),
    );
    await handler(aBatch(...records));
    expect(metrics.flushed).toEqual({
      DeliveriesDelivered: 2,
      DeliveriesTransient: 1,
      DeliveriesFatal: 2,
      EventsPending: 2,
      IntegrationsFailed: 1,
    });
  });

  it('is done with a delivery whose integration is deleted', async () => {
    const { handler, logger } = aDeliveringHandler({
      integrations: new InMemoryIntegrations(),
      endpoint: untouchable<WebhookEndpoint>('the endpoint'),
    });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(ALL_DONE);
    expect(logger.named('delivery.dropped')).toMatchObject([{ because: 'deleted' }]);
  });

  it('is done with a delivery that was confirmed, though the delivery log fails', async () => {
    const deliveryLog = Object.assign(new InMemoryDeliveryLog(), {
      write: () => Promise.reject(new Error('throttled')),
    });
    const { handler, logger, metrics } = aDeliveringHandler({ deliveryLog });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(ALL_DONE);
    expect(logger.named('attempt.not_recorded')).toMatchObject([{ error: 'Error: throttled' }]);
    expect(metrics.flushed).toEqual({ DeliveriesDelivered: 1, LogWritesFailed: 1 });
  });

  it('is done with a delivery that is pending, though the delivery log does not list it', async () => {
    const deliveryLog = Object.assign(new InMemoryDeliveryLog(), {
      list: () => Promise.reject(new Error('throttled')),
    });
    const { handler, logger, metrics } = aDeliveringHandler({
      deliveryLog,
      integrations: new InMemoryIntegrations(anIntegration({ active: false })),
    });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(ALL_DONE);
    expect(logger.named('delivery.not_listed')).toMatchObject([{ error: 'Error: throttled' }]);
    expect(metrics.flushed).toEqual({ EventsPending: 1, LogWritesFailed: 1 });
  });

  it('attempts the records of a batch side by side', async () => {
    const atOnce = createBarrier(10);
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await atOnce();
      return answered(200);
    });
    const { handler } = aDeliveringHandler({ endpoint });
    const records = Array.from({ length: 10 }, (_, index) =>
      deliveryRecord(`m${index}`, aDelivery(eventOf(`evt_${index}`))),
    );
    expect(await handler(aBatch(...records))).toEqual(ALL_DONE);
    expect(endpoint.requests).toHaveLength(10);
  });

  it('delivers a batch by the settings of one read, and the next by those of another', async () => {
    let reads = 0;
    const changing: Pick<IntegrationReader, 'findAll'> = {
      findAll: async (keys) => {
        reads += 1;
        const { config } = anIntegration();
        const baseUrl = `https://hooks.example.com/${reads}`;
        return keys.map((key) => anIntegration({ ...key, config: { ...config, baseUrl } }));
      },
    };
    const endpoint = new ScriptedWebhookEndpoint();
    const { handler } = aDeliveringHandler({ store: changing, endpoint });
    const batch = (...ids: string[]) =>
      aBatch(...ids.map((id) => deliveryRecord(id, aDelivery(eventOf(id)))));
    await handler(batch('m1', 'm2'));
    await handler(batch('m3', 'm4'));
    const [first, second, third, fourth] = endpoint.requests.map(({ url }) => url);
    expect([second, fourth]).toEqual([first, third]);
    expect(third).not.toBe(first);
  });

  it('keeps the deliveries whose integration cannot be read, and no others', async () => {
    const integrations: Pick<IntegrationReader, 'findAll'> = {
      findAll: async (keys) =>
        keys.map((key) => (key.id === 'bbbb' ? new Error('throttled') : anIntegration(key))),
    };
    const endpoint = new ScriptedWebhookEndpoint();
    const deadLetters = new InMemoryDeadLetters();
    const { handler } = aDeliveringHandler({ store: integrations, endpoint, deadLetters });
    const batch = aBatch(
      deliveryRecord('m1', aDelivery({ integration: 'aaaa' })),
      deliveryRecord('m2', aDelivery({ integration: 'bbbb' })),
    );
    expect(await handler(batch)).toEqual(kept('m2'));
    expect(endpoint.requests).toHaveLength(1);
    expect(deadLetters.letters).toEqual([]);
  });
});
