import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import { ScriptedWebhookEndpoint } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { sealedInMemory } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { aDeliveringHandler } from '../../../support/lambdas/delivering-handler.ts';
import { aBatch, deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';
import { untouchable } from '../../../support/untouchable.ts';

const BATCH = aBatch(deliveryRecord('m1', aDelivery()));

const { config, ...others } = anIntegration();
const OF_ANOTHER = { account: 'globex', integration: others.id, field: 'webhookSecret' } as const;

/** Its secret was sealed for another place, so no try will open it. */
const UNREADABLE = {
  ...others,
  config: { ...config, webhookSecret: sealedInMemory('a secret', OF_ANOTHER) },
};

/** An endpoint whose request cannot be built. */
const impossible = () =>
  new ScriptedWebhookEndpoint(() => {
    throw new TypeError('Invalid character in header content: a secret');
  });

describe('a delivery that cannot be sent by a fault of ours', () => {
  it.each([
    [
      'whose secret cannot be opened',
      {
        integrations: new InMemoryIntegrations(UNREADABLE),
        endpoint: untouchable<WebhookEndpoint>('the endpoint'),
      },
      'SecretUnreadable',
    ],
    ['whose request cannot be built', { endpoint: impossible() }, 'TypeError'],
  ])('leaves the queue, is pending and counts as not sent: one %s', async (_which, parts, code) => {
    const deliveryLog = new InMemoryDeliveryLog();
    const { handler, logger, metrics, pendingEvents } = aDeliveringHandler({
      ...parts,
      deliveryLog,
    });
    expect(await handler(BATCH)).toEqual({ batchItemFailures: [] });
    expect(pendingEvents.of(aDelivery().integration)).toHaveLength(1);
    expect(metrics.flushed).toEqual({
      DeliveriesFatal: 1,
      DeliveriesNotSent: 1,
      EventsPending: 1,
      IntegrationsFailed: 1,
    });
    expect(logger.named('delivery.attempted')).toMatchObject([
      { outcome: 'fatal', reason: 'not-sent', code },
    ]);
    expect(JSON.stringify(logger.lines)).not.toContain('a secret');
  });
});
