import type { SQSMessageAttributes } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { buildRouteEvents } from '../../../../core/delivery/route-event.ts';
import { createHandler } from '../../../../lambdas/consumers/route-event/handler.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryDeliveryQueue } from '../../../support/delivery/in-memory-delivery-queue.ts';
import { ScriptedWebhookEndpoint } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { eventText } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { aDeliveringHandler } from '../../../support/lambdas/delivering-handler.ts';
import {
  ALL_DONE,
  aBatch,
  aRecord,
  deliveryRecord,
  queueDeps,
} from '../../../support/lambdas/queue-functions.ts';
import { untouchable } from '../../../support/untouchable.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** Routes and delivers the event of a message with such an attribute. */
const deliverWith = async (
  messageAttributes: SQSMessageAttributes,
  { sendsTraceparent = false } = {},
) => {
  const deliveries = new InMemoryDeliveryQueue();
  const integrations = new InMemoryIntegrations(anIntegration());
  const route = createHandler({
    ...queueDeps(),
    deadLetters: new InMemoryDeadLetters(),
    isAccount: async () => true,
    countFiltered: async () => new Map(),
    routeEvents: buildRouteEvents({
      deliveries,
      subscriptions: { ofAccount: (account) => integrations.listOf(account) },
      slowLane: untouchable('the slow lane'),
      now: () => new Date('2026-11-20T12:00:00.000Z'),
    }),
  });
  const routed = await route(aBatch(aRecord('m1', eventText(), { messageAttributes })));
  const endpoint = new ScriptedWebhookEndpoint();
  const { deliver, logger } = aDeliveringHandler({ endpoint, sendsTraceparent });
  await deliver(...deliveries.deliveries.map((each) => deliveryRecord('m2', each)));
  return {
    routed,
    logged: logger.named('delivery.attempted').map((fields) => fields.traceparent),
    sent: endpoint.requests.map(({ headers }) => headers.traceparent),
  };
};

const text = (stringValue: string): SQSMessageAttributes => ({
  traceparent: { dataType: 'String', stringValue },
});

describe('The trace context of a message', () => {
  it('is in the log line of the attempt, and is not sent', async () => {
    expect(await deliverWith(text(TRACEPARENT))).toEqual({
      routed: ALL_DONE,
      logged: [TRACEPARENT],
      sent: [undefined],
    });
  });

  it('is sent if the stage says so', async () => {
    const { sent } = await deliverWith(text(TRACEPARENT), { sendsTraceparent: true });

    expect(sent).toEqual([TRACEPARENT]);
  });

  it.each([
    ['no attribute', {}],
    ['an empty text', text('')],
    ['another text', text('evt_1')],
    ['upper case', text(TRACEPARENT.toUpperCase())],
    ['a version that is none', text(TRACEPARENT.replace('00', 'ff'))],
    ['no trace', text(TRACEPARENT.replace(/-\w{32}-/, `-${'0'.repeat(32)}-`))],
    ['no span', text(TRACEPARENT.replace(/-\w{16}-/, `-${'0'.repeat(16)}-`))],
    ['a line end', text(`${TRACEPARENT}\nfatal: yes`)],
    ['more', text(`${TRACEPARENT}-${'x'.repeat(1_000)}`)],
    ['bytes', { traceparent: { dataType: 'Binary', binaryValue: 'AAAA' } }],
  ])('is ignored if it is %s, and the event is delivered', async (_case, attribute) => {
    expect(await deliverWith(attribute, { sendsTraceparent: true })).toEqual({
      routed: ALL_DONE,
      logged: [undefined],
      sent: [undefined],
    });
  });
});
