import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { InMemoryDeliveryLog } from '../../../support/delivery/in-memory-delivery-log.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { A_MESSAGE, aDelivery, anEventReference } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { sealedInMemory } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import {
  aDeliveringHandler,
  answering,
  answeringById,
  recordOf,
  throttled,
} from '../../../support/lambdas/delivering-handler.ts';
import { ALL_DONE, kept } from '../../../support/lambdas/queue-functions.ts';
import { untouchable } from '../../../support/untouchable.ts';

const INTEGRATION = anIntegration().id;
const A_RECORD = recordOf('evt_01JD');
const unasked = () => untouchable<WebhookEndpoint>('the endpoint');

describe('The function that delivers webhooks', () => {
  it.each([
    [204, ALL_DONE],
    [500, ALL_DONE],
    [504, kept('evt_01JD')],
    [302, ALL_DONE],
  ])('is done with a message, or keeps it, by the status %i', async (statusCode, response) => {
    const { deliver } = aDeliveringHandler({ endpoint: answering(statusCode) });
    expect(await deliver(A_RECORD)).toEqual(response);
  });

  it('hides a message that backs off for its delay, and no other', async () => {
    const { deliver, visibility } = aDeliveringHandler({ endpoint: answeringById() });
    const response = await deliver(
      recordOf('504-a'),
      recordOf('200-b'),
      recordOf('504-c', {
        trigger: 'replay',
        backoff: { since: '2026-11-20T11:00:00.000Z', attempts: 4, hasSlot: false },
        priorAttempts: 4,
      }),
    );
    expect(response).toEqual(kept('504-a', '504-c'));
    const delays = { 'receipt of 504-a': 15_000, 'receipt of 504-c': 240_000 };
    expect(visibility.delaysMs).toEqual(delays);
  });

  it('counts a delay from the attempt, not from the end of a slower attempt', async () => {
    let nowMs = Date.parse('2026-11-20T12:00:00Z');
    const endpoint = new ScriptedWebhookEndpoint(async ({ headers }) => {
      if (!headers['webhook-id']?.endsWith('/slow')) return answered(504);
      await setImmediate();
      nowMs += 9_000;
      return answered(200);
    });
    const { deliver, visibility } = aDeliveringHandler({ endpoint, now: () => new Date(nowMs) });
    expect(await deliver(recordOf('quick'), recordOf('slow'))).toEqual(kept('quick'));
    expect(visibility.delaysMs).toEqual({ 'receipt of quick': 6_000 });
  });

  it('receives a delivery again at once if its integration was changed', async () => {
    const stored = anIntegration();
    const integrations = new InMemoryIntegrations(stored);
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      await integrations.replace({ ...stored, epoch: 1 }, stored);
      return answered(500);
    });
    const { deliver, visibility, pendingEvents } = aDeliveringHandler({ integrations, endpoint });
    expect(await deliver(A_RECORD)).toEqual(kept('evt_01JD'));
    expect(visibility.delaysMs).toEqual({ 'receipt of evt_01JD': 0 });
    expect(pendingEvents.of(stored.id)).toEqual([]);
  });

  it('makes the last attempt when the window since the first attempt is over', async () => {
    const deliveryLog = new InMemoryDeliveryLog();
    const { deliver, pendingEvents } = aDeliveringHandler({
      integrations: new InMemoryIntegrations(
        anIntegration({ updatedAt: '2026-11-01T00:00:00.000Z' }),
      ),
      endpoint: answering(504),
      deliveryLog,
    });
    const record = recordOf('evt_01JD', { receiveCount: 20 });
    const event = anEventReference('evt_01JD');
    const startedAt = new Date('2026-11-20T00:00:00.000Z');
    await deliveryLog.record(anAttempt({ event, number: 19, startedAt }, answered(504)));
    record.attributes.ApproximateFirstReceiveTimestamp = String(startedAt.getTime());
    expect(await deliver(record)).toEqual(ALL_DONE);
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
  });
});

describe('A delivery that cannot be sent by a fault of the service', () => {
  const { config, ...others } = anIntegration();
  const elsewhere = { account: 'globex', integration: others.id, field: 'webhookSecret' } as const;
  const webhookSecret = sealedInMemory('a secret', elsewhere);
  const unreadable = { ...others, config: { ...config, webhookSecret } };

  it('leaves the queue, is pending, and counts as not sent', async () => {
    const { deliver, logger, metrics, pendingEvents } = aDeliveringHandler({
      integrations: new InMemoryIntegrations(unreadable),
      endpoint: unasked(),
    });
    expect(await deliver(A_RECORD)).toEqual(ALL_DONE);
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
    expect(metrics.flushed).toEqual({
      DeliveriesFatal: 1,
      DeliveriesNotSent: 1,
      EventsPending: 1,
    });
    const attempted = { outcome: 'fatal', reason: 'not-sent', code: 'SecretUnreadable' };
    expect(logger.named('delivery.attempted')).toMatchObject([attempted]);
    expect(logger.text).not.toContain('a secret');
  });
});

const RECEIVED_AGAIN = [
  ['received again', recordOf('evt_01JD', { receiveCount: 2 })],
  ['replayed', recordOf('evt_01JD', { trigger: 'replay' })],
  ['routed again', recordOf('evt_01JD', { trigger: 'rerouted' })],
] as const;
const [[, AGAIN]] = RECEIVED_AGAIN;

/** A log of one delivery with one attempt. */
const aLogOf = async (statusCode: number): Promise<InMemoryDeliveryLog> => {
  const deliveryLog = new InMemoryDeliveryLog();
  const startedAt = new Date('2026-11-20T11:00:00Z');
  await deliveryLog.record(anAttempt({ startedAt }, answered(statusCode)));
  return deliveryLog;
};

describe('A delivery that has arrived', () => {
  it.each(RECEIVED_AGAIN)('is not sent again when it is %s', async (_case, record) => {
    const ports = { deliveryLog: await aLogOf(200), endpoint: unasked() };
    const { deliver, logger } = aDeliveringHandler(ports);
    expect(await deliver(record)).toEqual(ALL_DONE);
    expect(logger.named('delivery.dropped')).toMatchObject([{ because: 'delivered-before' }]);
  });

  it.each([
    ['failed', troubled('failed')],
    ['inactive', anIntegration({ active: false })],
  ])('is not stored while its integration is %s', async (_state, stored) => {
    const { deliver, logger, pendingEvents } = aDeliveringHandler({
      deliveryLog: await aLogOf(200),
      integrations: new InMemoryIntegrations(stored),
    });
    expect(await deliver(AGAIN)).toEqual(ALL_DONE);
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
    expect(logger.named('delivery.dropped')).toMatchObject([{ because: 'delivered-before' }]);
  });

  it('is no longer pending, or stays in the queue', async () => {
    const { deliver, pendingEvents } = aDeliveringHandler({ deliveryLog: await aLogOf(200) });
    await pendingEvents.put(aDelivery({ priorAttempts: 1 }), A_MESSAGE);
    const { removeOf } = pendingEvents;
    pendingEvents.removeOf = throttled;
    expect(await deliver(AGAIN)).toEqual(kept('evt_01JD'));
    pendingEvents.removeOf = removeOf;
    await deliver({ ...AGAIN, messageId: A_MESSAGE.messageId });
    expect(pendingEvents.of(INTEGRATION)).toEqual([]);
  });
});

describe('A delivery that has not arrived', () => {
  it.each(RECEIVED_AGAIN)('is sent when it is %s', async (_case, record) => {
    const endpoint = new ScriptedWebhookEndpoint();
    const { deliver } = aDeliveringHandler({ deliveryLog: await aLogOf(500), endpoint });
    expect(await deliver(record)).toEqual(ALL_DONE);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('is sent when the log cannot be read, with a warning', async () => {
    const deliveryLog = Object.assign(new InMemoryDeliveryLog(), { read: throttled });
    const endpoint = new ScriptedWebhookEndpoint();
    const { deliver, logger } = aDeliveringHandler({ deliveryLog, endpoint });
    expect(await deliver(AGAIN)).toEqual(ALL_DONE);
    expect(endpoint.requests).toHaveLength(1);
    const delivery = { account: 'acme', integration: INTEGRATION, event: 'evt_01JD' };
    expect(logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      {
        name: 'delivery_log.not_read',
        fields: { ...delivery, eventType: 'message.received', error: 'Error: throttled' },
      },
    ]);
  });
});
