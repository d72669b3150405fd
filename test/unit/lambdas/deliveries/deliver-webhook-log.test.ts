import { describe, expect, it } from 'vitest';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { aConfig } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import {
  aDeliveringHandler,
  answering,
  answeringById,
  recordOf,
  throttled,
} from '../../../support/lambdas/delivering-handler.ts';
import { ALL_DONE, aRecord, kept } from '../../../support/lambdas/queue-functions.ts';
import type { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const OF_INTEGRATION = { account: 'acme', integration: '0123456789Ab' };
const OF_EVENT = { ...OF_INTEGRATION, event: 'evt_01JD', eventType: 'message.received' };

const warningsIn = ({ lines }: RecordingLogger) => lines.filter(({ level }) => level === 'warn');

/** A delivery log whose method fails. */
const failingAt = (method: 'write' | 'list') =>
  Object.assign(new InMemoryDeliveryLog(), { [method]: throttled });

describe('The log of the function that delivers webhooks', () => {
  it('has a line for an attempt, with what an operator asks', async () => {
    const { deliver, logger } = aDeliveringHandler({ endpoint: answering(504) });
    await deliver(recordOf('evt_01JD'));
    expect(logger.named('delivery.attempted')).toEqual([
      {
        ...OF_EVENT,
        attempt: 1,
        trigger: 'event',
        outcome: 'transient',
        statusCode: 504,
        durationMs: 0,
        nextAttemptAt: '2026-11-20T12:00:15.000Z',
      },
    ]);
  });

  it.each([
    ['connection-failed', 'EMFILE', true],
    ['tls-failure', 'CERT_HAS_EXPIRED', false],
  ] as const)('warns of a fault that is unknown: %s %s, %s', async (reason, code, isUnknown) => {
    const fault = { kind: 'unanswered', reason, code, ...(isUnknown && { isUnknown }) } as const;
    const endpoint = new ScriptedWebhookEndpoint(() => fault);
    const { deliver, logger } = aDeliveringHandler({ endpoint });
    await deliver(recordOf('evt_01JD'));
    expect(logger.named('delivery.attempted')).toHaveLength(1);
    const fields = { ...OF_EVENT, reason, code };
    const warning = { level: 'warn', name: 'endpoint.unknown_fault', fields };
    expect(logger.lines.filter(({ level }) => level !== 'info')).toEqual(
      isUnknown ? [warning] : [],
    );
  });

  it('logs a failed integration once in a batch, and each pending event', async () => {
    const { deliver, logger } = aDeliveringHandler({ endpoint: answering(500) });
    await deliver(recordOf('a'), recordOf('b'));
    const fields = { ...OF_INTEGRATION, statusCode: 500 };
    expect(warningsIn(logger)).toEqual([{ level: 'warn', name: 'integration.failed', fields }]);
    expect(logger.named('delivery.attempted')).toHaveLength(2);
    expect(logger.named('delivery.pending')).toMatchObject([{ event: 'a' }, { event: 'b' }]);
  });

  it('logs that an integration became busy, but not for every probe', async () => {
    const streak = { since: '2026-11-20T11:59:00.000Z', transients: 0, refusals: 1 };
    const integrations = new InMemoryIntegrations(anIntegration({ streak }));
    const endpoint = answering(504);
    const { deliver, logger } = aDeliveringHandler({ endpoint, integrations, busyAfter: 1 });
    await deliver(recordOf('evt_01JD'));
    await deliver(recordOf('evt_01JD', { receiveCount: 2 }));
    expect(logger.named('integration.busy')).toEqual([{ ...OF_INTEGRATION, statusCode: 504 }]);
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
    const integrations = new InMemoryIntegrations(busy);
    const { deliver, logger, metrics } = aDeliveringHandler({ integrations, deliveryLog });
    await deliver(recordOf('evt_01JD', { receiveCount: 2 }));
    expect(logger.named('integration.trouble_ended')).toEqual([OF_INTEGRATION]);
    expect(metrics.flushed).toEqual({ DeliveriesDelivered: 1, TroublesEnded: 1 });
  });

  it.each([
    ['write', 'attempt.not_recorded', true, { DeliveriesDelivered: 1, LogWritesFailed: 1 }],
    ['list', 'delivery.not_listed', false, { EventsPending: 1, LogWritesFailed: 1 }],
  ] as const)('tells and counts that the delivery log fails: %s', async (...row) => {
    const [method, name, active, counted] = row;
    const { deliver, logger, metrics } = aDeliveringHandler({
      deliveryLog: failingAt(method),
      integrations: new InMemoryIntegrations(anIntegration({ active })),
    });
    expect(await deliver(recordOf('evt_01JD'))).toEqual(ALL_DONE);
    expect(logger.named(name)).toMatchObject([{ error: 'Error: throttled' }]);
    expect(metrics.flushed).toEqual(counted);
  });

  it('has no body, secret or signature, whatever happens', async () => {
    const config = aConfig({
      baseUrl: 'https://hooks.example.com/PRIVATE-path',
      webhookSecret: 'PRIVATE webhook secret',
      clientSecret: 'PRIVATE client secret',
      headers: { 'X-Api-Key': 'PRIVATE key' },
    });
    const endpoint = new ScriptedWebhookEndpoint(({ headers }) => {
      const event = headers['webhook-id']?.split('/').at(-1);
      if (event === 'fault') throw new Error('PRIVATE header');
      return answered(event === 'refused' ? 500 : 200, 'PRIVATE answer');
    });
    const deadLetters = new InMemoryDeadLetters();
    const { deliver, logger, pendingEvents } = aDeliveringHandler({
      integrations: new InMemoryIntegrations(anIntegration({ config })),
      endpoint,
      deliveryLog: failingAt('write'),
      deadLetters,
    });
    pendingEvents.put = throttled;
    const body = '{"data":"PRIVATE-4711"}';
    const records = ['delivered', 'refused', 'fault'].map((id) => recordOf(id, { body }));
    expect(await deliver(...records, aRecord('m4', body))).toEqual(kept('refused', 'fault'));
    expect(logger.lines.length).toBeGreaterThanOrEqual(6);
    expect(endpoint.requests[0]?.headers).toMatchObject({ 'X-Api-Key': 'PRIVATE key' });
    expect(JSON.stringify(deadLetters)).not.toContain('PRIVATE key');
    expect(logger.text).not.toContain('PRIVATE');
    const signatures = endpoint.requests.flatMap(({ headers }) => [
      headers['X-Service-Signature'] ?? '?',
      headers['webhook-signature'] ?? '?',
    ]);
    for (const signature of signatures) expect(logger.text).not.toContain(signature);
  });
});

describe('The log of a batch', () => {
  /** The names of the lines in order, each with its event. */
  const linesOf = ({ lines }: RecordingLogger) =>
    lines.map(({ name, fields: { event } }) => (event ? `${name} ${event}` : name)).sort();

  const delivering = (attemptLines: 'all' | 'undelivered') => {
    const switchedOff = anIntegration({ id: 'switchedOff0', active: false });
    const integrations = new InMemoryIntegrations(anIntegration(), switchedOff);
    return aDeliveringHandler({ integrations, endpoint: answeringById(), attemptLines });
  };

  it.each([
    [
      'all',
      [
        'delivery.attempted 200-a',
        'delivery.attempted 200-b',
        'delivery.attempted 504-a',
        'delivery.dropped 200-d',
        'delivery.pending 200-c',
      ],
    ],
    ['undelivered', ['delivery.attempted 504-a']],
  ] as const)('has a summary and the lines that are wanted: %s', async (attemptLines, lines) => {
    const { deliver, logger } = delivering(attemptLines);
    await deliver(
      ...['200-a', '504-a', '200-b'].map((event) => recordOf(event)),
      recordOf('200-c', { integration: 'switchedOff0' }),
      recordOf('200-d', { integration: 'deleted00000' }),
    );
    expect(linesOf(logger)).toEqual(['deliveries.attempted', ...lines]);
    const counts = { delivered: 2, transient: 1, pending: 1, dropped: 1 };
    expect(logger.named('deliveries.attempted')).toEqual([
      { ...counts, slowestMs: 0, slowestIntegration: '0123456789Ab' },
    ]);
  });

  it('warns of a failed integration with any lines, and counts', async () => {
    const { deliver, logger, metrics } = delivering('undelivered');
    const events = ['200-a', '201-a', '504-a', '500-a', '500-b'];
    await deliver(...events.map((event) => recordOf(event)));
    expect(linesOf(logger)).toEqual([
      'deliveries.attempted',
      'delivery.attempted 500-a',
      'delivery.attempted 500-b',
      'delivery.attempted 504-a',
      'integration.failed',
    ]);
    expect(logger.named('deliveries.attempted')).toMatchObject([{ fatal: 2, pending: 2 }]);
    expect(metrics.flushed).toEqual({
      DeliveriesDelivered: 2,
      DeliveriesTransient: 1,
      DeliveriesFatal: 2,
      EventsPending: 2,
    });
  });

  it('names the integration of the slowest attempt', async () => {
    let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
    const slow = anIntegration({ id: 'slow00000000' });
    const { deliver, logger } = aDeliveringHandler({
      integrations: new InMemoryIntegrations(anIntegration(), slow),
      endpoint: new ScriptedWebhookEndpoint(({ headers }) => {
        if (headers['webhook-id']?.includes(slow.id)) nowMs += 700;
        return answered(200);
      }),
      now: () => new Date(nowMs),
    });
    await deliver(recordOf('a', { integration: slow.id }));
    await deliver(recordOf('b'));
    expect(logger.named('deliveries.attempted')).toEqual([
      { delivered: 1, slowestMs: 700, slowestIntegration: slow.id },
      { delivered: 1, slowestMs: 0, slowestIntegration: '0123456789Ab' },
    ]);
  });

  it('has a line of a delivered attempt that the delivery log lacks', async () => {
    const deliveryLog = failingAt('write');
    const { deliver, logger } = aDeliveringHandler({ deliveryLog, attemptLines: 'undelivered' });
    await deliver(recordOf('a'));
    const attempted = { event: 'a', outcome: 'delivered' };
    expect(logger.named('delivery.attempted')).toMatchObject([attempted]);
  });

  it('has no summary if every record failed', async () => {
    const { deliver, logger } = aDeliveringHandler({ store: { findAll: throttled } });
    await deliver(recordOf('a'));
    expect(linesOf(logger)).toEqual(['record.failed']);
  });
});
