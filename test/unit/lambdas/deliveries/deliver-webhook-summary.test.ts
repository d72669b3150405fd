import { describe, expect, it } from 'vitest';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { aDeliveringHandler } from '../../../support/lambdas/delivering-handler.ts';
import type { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';
import { aBatch, deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';

const recordOf = (id: string, integration = '0123456789Ab') =>
  deliveryRecord(id, aDelivery({ event: anEventReference(id), integration }));

/** Answers what the id of an event begins with. */
const answering = () =>
  new ScriptedWebhookEndpoint(({ headers }) =>
    answered(Number(headers['webhook-id']?.split('/').at(-1)?.split('-')[0])),
  );

/** The lines of the log in any order, each with the event that it is about. */
const linesOf = ({ lines }: RecordingLogger) =>
  lines.map(({ name, fields: { event } }) => (event ? `${name} ${event}` : name)).sort();

/** Of an integration that takes deliveries, of one that is switched off, and of a deleted one. */
const mixedBatch = () =>
  aBatch(
    recordOf('200-a'),
    recordOf('504-a'),
    recordOf('200-b'),
    recordOf('200-c', 'switchedOff0'),
    recordOf('200-d', 'deleted00000'),
  );

const integrations = () =>
  new InMemoryIntegrations(anIntegration(), anIntegration({ id: 'switchedOff0', active: false }));

describe('the log of a batch', () => {
  it.each(['all', 'undelivered'] as const)(
    'has one line with what became of its deliveries, whatever lines they have (%s)',
    async (attemptLines) => {
      const { handler, logger } = aDeliveringHandler({
        integrations: integrations(),
        endpoint: answering(),
        attemptLines,
      });
      await handler(mixedBatch());
      expect(logger.named('deliveries.attempted')).toEqual([
        {
          delivered: 2,
          transient: 1,
          pending: 1,
          dropped: 1,
          slowestMs: 0,
          slowestIntegration: '0123456789Ab',
        },
      ]);
    },
  );

  it('names the integration whose attempt took longest', async () => {
    let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
    const slow = anIntegration({ id: 'slow00000000' });
    const { handler, logger } = aDeliveringHandler({
      integrations: new InMemoryIntegrations(anIntegration(), slow),
      endpoint: new ScriptedWebhookEndpoint(({ headers }) => {
        if (headers['webhook-id']?.includes(slow.id)) nowMs += 700;
        return answered(200);
      }),
      now: () => new Date(nowMs),
    });
    await handler(aBatch(recordOf('a', slow.id)));
    await handler(aBatch(recordOf('b')));
    expect(logger.named('deliveries.attempted')).toEqual([
      { delivered: 1, slowestMs: 700, slowestIntegration: slow.id },
      { delivered: 1, slowestMs: 0, slowestIntegration: '0123456789Ab' },
    ]);
  });

  it('has a line of each delivery as well, where all are wanted', async () => {
    const { handler, logger } = aDeliveringHandler({
      integrations: integrations(),
      endpoint: answering(),
      attemptLines: 'all',
    });
    await handler(mixedBatch());
    expect(linesOf(logger)).toEqual([
      'deliveries.attempted',
      'delivery.attempted 200-a',
      'delivery.attempted 200-b',
      'delivery.attempted 504-a',
      'delivery.dropped 200-d',
      'delivery.pending 200-c',
    ]);
  });

  it('has a line only of each attempt that was not delivered, where those are wanted', async () => {
    const { handler, logger } = aDeliveringHandler({
      integrations: integrations(),
      endpoint: answering(),
      attemptLines: 'undelivered',
    });
    await handler(mixedBatch());
    expect(linesOf(logger)).toEqual(['deliveries.attempted', 'delivery.attempted 504-a']);
  });

  it('warns that an integration failed, whatever lines are wanted', async () => {
    const { handler, logger } = aDeliveringHandler({
      endpoint: answering(),
      attemptLines: 'undelivered',
    });
    await handler(aBatch(recordOf('500-a'), recordOf('500-b')));
    expect(linesOf(logger)).toEqual([
      'deliveries.attempted',
      'delivery.attempted 500-a',
      'delivery.attempted 500-b',
      'integration.failed',
    ]);
    expect(logger.named('deliveries.attempted')).toMatchObject([{ fatal: 2, pending: 2 }]);
  });

  it('has a line of a delivered attempt that the delivery log lacks', async () => {
    const { handler, logger } = aDeliveringHandler({
      deliveryLog: Object.assign(new InMemoryDeliveryLog(), {
        write: () => Promise.reject(new Error('throttled')),
      }),
      attemptLines: 'undelivered',
    });
    await handler(aBatch(recordOf('a')));
    expect(logger.named('delivery.attempted')).toMatchObject([
      { event: 'a', outcome: 'delivered' },
    ]);
  });

  it('has no summary of a batch whose every record failed', async () => {
    const { handler, logger } = aDeliveringHandler({
      store: { findAll: () => Promise.reject(new Error('throttled')) },
    });
    await handler(aBatch(recordOf('a')));
    expect(linesOf(logger)).toEqual(['record.failed']);
  });
});
