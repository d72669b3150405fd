import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '../../core/delivery/webhook-endpoint.ts';
import type { Integration, IntegrationStore } from '../../core/integrations/integration.ts';
import { createBarrier } from '../support/barrier.ts';
import { aDeliveringFunction, kept } from '../support/delivering-function.ts';
import { InMemoryDeadLetters } from '../support/in-memory-dead-letters.ts';
import { InMemoryIntegrations } from '../support/in-memory-integrations.ts';
import { anIntegration } from '../support/integrations.ts';
import { aDelivery } from '../support/platform-events.ts';
import { answered, ScriptedWebhookEndpoint } from '../support/scripted-webhook-endpoint.ts';
import { aBatch, aRecord, deliveryRecord } from '../support/sqs-batches.ts';
import { untouchable } from '../support/untouchable.ts';

const ALL_DONE = { batchItemFailures: [] };
const eventOf = (id: string) => ({ event: { id, type: 'message.received' } }) as const;

describe('the function that delivers webhooks', () => {
  it.each([
    [204, ALL_DONE],
    [500, kept('m1')],
    [504, kept('m1')],
    [302, kept('m1')],
  ])('answers the queue by a final %i as decided', async (statusCode, response) => {
    const { handler } = aDeliveringFunction({
      endpoint: new ScriptedWebhookEndpoint(() => answered(statusCode)),
    });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(response);
  });

  it('keeps a delivery that got no answer', async () => {
    const endpoint = new ScriptedWebhookEndpoint(() => ({
      kind: 'unanswered',
      reason: 'response-timeout',
    }));
    const { handler } = aDeliveringFunction({ endpoint });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(kept('m1'));
  });

  it.each<[string, Integration[]]>([
    ['deleted', []],
    ['inactive', [anIntegration({ active: false })]],
  ])('is done with a delivery whose integration is %s', async (because, stored) => {
    const { handler, logger } = aDeliveringFunction({
      integrations: new InMemoryIntegrations(...stored),
      endpoint: untouchable<WebhookEndpoint>('the endpoint'),
    });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(ALL_DONE);
    expect(logger.named('delivery.dropped')).toMatchObject([{ because }]);
  });

  it('is done with a delivery that was confirmed, though the delivery log fails', async () => {
    const attemptLog = { record: () => Promise.reject(new Error('throttled')) };
    const { handler, logger } = aDeliveringFunction({ attemptLog });
    expect(await handler(aBatch(deliveryRecord('m1', aDelivery())))).toEqual(ALL_DONE);
    expect(logger.named('attempt.not_recorded')).toMatchObject([{ error: 'Error: throttled' }]);
  });

  it('attempts the records of a batch side by side', async () => {
    const atOnce = createBarrier(10);
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await atOnce();
      return answered(200);
    });
    const { handler } = aDeliveringFunction({ endpoint });
    const records = Array.from({ length: 10 }, (_, index) =>
      deliveryRecord(`m${index}`, aDelivery(eventOf(`evt_${index}`))),
    );
    expect(await handler(aBatch(...records))).toEqual(ALL_DONE);
    expect(endpoint.requests).toHaveLength(10);
  });

  it('reads each integration once for each batch, and anew for the next', async () => {
    const asked: string[] = [];
    const integrations: IntegrationStore = {
      find: async (account, id) => {
        asked.push(`${account}/${id}`);
        return anIntegration({ account, id });
      },
    };
    const { handler } = aDeliveringFunction({ integrations });
    const batch = aBatch(
      deliveryRecord('m1', aDelivery({ integration: 'aaaa' })),
      deliveryRecord('m2', aDelivery({ integration: 'bbbb' })),
      deliveryRecord('m3', aDelivery({ integration: 'aaaa' })),
    );
    await handler(batch);
    expect(asked.toSorted()).toEqual(['acme/aaaa', 'acme/bbbb']);
    await handler(batch);
    expect(asked).toHaveLength(4);
  });

  it('keeps the deliveries whose integration cannot be read, and no others', async () => {
    const integrations: IntegrationStore = {
      find: async (account, id) => {
        if (id === 'bbbb') throw new Error('throttled');
        return anIntegration({ account, id });
      },
    };
    const endpoint = new ScriptedWebhookEndpoint();
    const deadLetters = new InMemoryDeadLetters();
    const { handler } = aDeliveringFunction({ integrations, endpoint, deadLetters });
    const batch = aBatch(
      deliveryRecord('m1', aDelivery({ integration: 'aaaa' })),
      deliveryRecord('m2', aDelivery({ integration: 'bbbb' })),
    );
    expect(await handler(batch)).toEqual(kept('m2'));
    expect(endpoint.requests).toHaveLength(1);
    expect(deadLetters.letters).toEqual([]);
  });

  it('puts a message without its attributes among the dead letters, and goes on with the others', async () => {
    const deadLetters = new InMemoryDeadLetters();
    const { handler } = aDeliveringFunction({ deadLetters });
    const batch = aBatch(aRecord('m1', '{"stray":1}'), deliveryRecord('m2', aDelivery()));
    expect(await handler(batch)).toEqual(ALL_DONE);
    expect(deadLetters.letters).toEqual([
      {
        text: '{"stray":1}',
        reason: 'attributes are missing or wrong: account, integration, eventId, eventType',
      },
    ]);
  });

  it('keeps a message whose dead letter cannot be written', async () => {
    const deadLetters = { add: () => Promise.reject(new Error('throttled')) };
    const { handler } = aDeliveringFunction({ deadLetters });
    expect(await handler(aBatch(aRecord('m1', '{}')))).toEqual(kept('m1'));
  });
});
