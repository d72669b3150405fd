import { describe, expect, it } from 'vitest';
import {
  parseDeliveryRecord,
  queuedDeliveryOf,
  UnreadableDelivery,
} from '../../lambdas/deliver-webhook/delivery-record.ts';
import { aDelivery } from '../support/platform-events.ts';
import { deliveryRecord } from '../support/sqs-batches.ts';

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
    expect(parseDeliveryRecord(deliveryRecord('m1', delivery))).toEqual(delivery);
  });

  it.each(['event', 'replay', 'manual'] as const)('tells what put it there: %s', (trigger) => {
    expect(parseDeliveryRecord(deliveryRecord('m1', aDelivery({ trigger }))).trigger).toBe(trigger);
  });

  it('is unreadable with a trigger that puts nothing there', () => {
    const record = deliveryRecord('m1', aDelivery());
    record.messageAttributes.trigger = { dataType: 'String', stringValue: 'hourly' };
    expect(() => parseDeliveryRecord(record)).toThrow(/: trigger$/);
  });

  it.each(NAMES)('is unreadable without its %s, and says so', (name) => {
    const record = deliveryRecord('m1', aDelivery());
    delete record.messageAttributes[name];
    expect(() => parseDeliveryRecord(record)).toThrow(UnreadableDelivery);
    expect(() => parseDeliveryRecord(record)).toThrow(new RegExp(`: ${name}$`));
  });

  it.each(NAMES)('is unreadable with an empty or binary %s', (name) => {
    for (const wrong of [
      { dataType: 'String', stringValue: '' },
      { dataType: 'Binary', binaryValue: 'AAAA' },
    ] as const) {
      const record = deliveryRecord('m1', aDelivery());
      record.messageAttributes[name] = wrong;
      expect(() => parseDeliveryRecord(record)).toThrow(UnreadableDelivery);
    }
  });

  it('is unreadable with an event type that does not exist', () => {
    const record = deliveryRecord('m1', aDelivery());
    record.messageAttributes.eventType = { dataType: 'String', stringValue: 'PRIVATE' };
    expect(() => parseDeliveryRecord(record)).toThrow(/: eventType$/);
  });

  it('counts its attempts by its receives', () => {
    expect(
      queuedDeliveryOf(deliveryRecord('m1', aDelivery(), { receiveCount: 7 })).receiveCount,
    ).toBe(7);
  });
});
