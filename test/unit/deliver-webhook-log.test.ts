import { describe, expect, it } from 'vitest';
import { aDeliveringFunction, kept } from '../support/delivering-function.ts';
import { InMemoryDeadLetters } from '../support/in-memory-dead-letters.ts';
import { InMemoryIntegrations } from '../support/in-memory-integrations.ts';
import { anIntegration } from '../support/integrations.ts';
import { aDelivery } from '../support/platform-events.ts';
import { answered, ScriptedWebhookEndpoint } from '../support/scripted-webhook-endpoint.ts';
import { aBatch, aRecord, deliveryRecord } from '../support/sqs-batches.ts';

const eventOf = (id: string) => ({ event: { id, type: 'message.received' } }) as const;

describe('the log of the function that delivers webhooks', () => {
  it('has one line for each attempt, with what an operator asks', async () => {
    const { handler, logger } = aDeliveringFunction({
      endpoint: new ScriptedWebhookEndpoint(() => answered(500)),
    });
    await handler(aBatch(deliveryRecord('m1', aDelivery(), { receiveCount: 2 })));
    expect(logger.lines).toEqual([
      {
        level: 'info',
        name: 'delivery.attempted',
        fields: {
          account: 'acme',
          integration: '0123456789Ab',
          event: 'evt_01JD',
          eventType: 'message.received',
          attempt: 2,
          trigger: 'backoff',
          outcome: 'fatal',
          statusCode: 500,
          durationMs: 0,
        },
      },
    ]);
  });

  it('has no body, secret or signature, whatever happens', async () => {
    const config = {
      baseUrl: 'https://hooks.example.com/PRIVATE-path',
      webhookSecret: 'PRIVATE webhook secret',
      clientSecret: 'PRIVATE client secret',
    };
    const endpoint = new ScriptedWebhookEndpoint(({ headers }) => {
      const event = headers['webhook-id']?.split('/').at(-1);
      if (event === 'fault') throw new Error('a fault of ours');
      return answered(event === 'refused' ? 500 : 200, 'PRIVATE answer');
    });
    const { handler, logger } = aDeliveringFunction({
      integrations: new InMemoryIntegrations(anIntegration({ config })),
      endpoint,
      attemptLog: { record: () => Promise.reject(new Error('throttled')) },
      deadLetters: new InMemoryDeadLetters(),
    });
    const body = '{"data":"PRIVATE-4711"}';
    const records = ['delivered', 'refused', 'fault'].map((id) =>
      deliveryRecord(id, aDelivery({ body, ...eventOf(id) })),
    );
    expect(await handler(aBatch(...records, aRecord('m4', body)))).toEqual(
      kept('refused', 'fault'),
    );
    expect(logger.lines.length).toBeGreaterThanOrEqual(4);
    expect(logger.text).not.toContain('PRIVATE');
    const signatures = endpoint.requests.flatMap(({ headers }) => [
      headers['X-Service-Signature'] ?? '?',
      headers['webhook-signature'] ?? '?',
    ]);
    for (const signature of signatures) expect(logger.text).not.toContain(signature);
  });
});
