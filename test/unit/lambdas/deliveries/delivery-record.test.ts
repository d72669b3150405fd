import { describe, expect, it } from 'vitest';
import { UnreadableDelivery } from '../../../../core/delivery/delivery-queue.ts';
import { queuedDeliveryOf } from '../../../../lambdas/deliver-webhook/queued-delivery.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';

const NAMES = [
  'account',
  'integration',
  'eventId',
  'eventType',
  'occurredAt',
  'trigger',
  'priorAttempts',
] as const;

describe('a message of the deliveries queue', () => {
  it('is the delivery that was put in', () => {
    const delivery = aDelivery({ body: '{"text":"Grüße 👋"}' });
    expect(queuedDeliveryOf(deliveryRecord('m1', delivery)).delivery).toEqual(delivery);
  });

  it.each(['event', 'replay', 'manual'] as const)('tells what put it there: %s', (trigger) => {
    expect(queuedDeliveryOf(deliveryRecord('m1', aDelivery({ trigger }))).delivery.trigger).toBe(
      trigger,
    );
  });

  it('is unreadable with a trigger that puts nothing there', () => {
    const record = deliveryRecord('m1', aDelivery());
    record.messageAttributes.trigger = { dataType: 'String', stringValue: 'hourly' };
    expect(() => queuedDeliveryOf(record).delivery).toThrow(/: trigger$/);
  });

  it.each(NAMES)('is unreadable without its %s, and says so', (name) => {
    const record = deliveryRecord('m1', aDelivery());
    delete record.messageAttributes[name];
    expect(() => queuedDeliveryOf(record).delivery).toThrow(UnreadableDelivery);
    expect(() => queuedDeliveryOf(record).delivery).toThrow(new RegExp(`: ${name}$`));
  });

  it.each(NAMES)('is unreadable with an empty or binary %s', (name) => {
    for (const wrong of [
      { dataType: 'String', stringValue: '' },
      { dataType: 'Binary', binaryValue: 'AAAA' },
    ] as const) {
      const record = deliveryRecord('m1', aDelivery());
      record.messageAttributes[name] = wrong;
      expect(() => queuedDeliveryOf(record).delivery).toThrow(UnreadableDelivery);
    }
  });

  it('is unreadable with an event type that does not exist', () => {
    const record = deliveryRecord('m1', aDelivery());
    record.messageAttributes.eventType = { dataType: 'String', stringValue: 'PRIVATE' };
    expect(() => queuedDeliveryOf(record).delivery).toThrow(/: eventType$/);
  });

  it('counts its attempts by its receives', () => {
    expect(
      queuedDeliveryOf(deliveryRecord('m1', aDelivery(), { receiveCount: 7 })).receiveCount,
    ).toBe(7);
  });
});
