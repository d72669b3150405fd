import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { LaterFormat, UnreadableMessage } from '../../../../core/delivery/message-format.ts';
import { queuedDeliveryOf } from '../../../../lambdas/deliver/deliver-webhook/handler.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';

const NAMES = [
  'account',
  'integration',
  'event',
  'event.id',
  'event.type',
  'event.occurredAt',
  'trigger',
  'priorAttempts',
] as const;

/** A record of a delivery with another value for a member, or without it. */
const recordWith = (path: string, value?: unknown): SQSRecord => {
  const record = deliveryRecord('m1', aDelivery());
  const head = JSON.parse(record.messageAttributes.delivery?.stringValue ?? '');
  const [name = '', inner] = path.split('.');
  if (inner === undefined) head[name] = value;
  else head[name][inner] = value;
  record.messageAttributes.delivery = { dataType: 'String', stringValue: JSON.stringify(head) };
  return record;
};

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
    expect(() => queuedDeliveryOf(recordWith('trigger', 'hourly'))).toThrow(/: trigger$/);
  });

  it.each(NAMES)('is unreadable without its %s, and says so', (name) => {
    expect(() => queuedDeliveryOf(recordWith(name))).toThrow(UnreadableMessage);
    expect(() => queuedDeliveryOf(recordWith(name))).toThrow(new RegExp(`: ${name}$`));
  });

  it.each(NAMES)('is unreadable with an empty %s', (name) => {
    expect(() => queuedDeliveryOf(recordWith(name, ''))).toThrow(UnreadableMessage);
  });

  it('is unreadable without its attribute, or with a binary one', () => {
    const record = deliveryRecord('m1', aDelivery());
    record.messageAttributes = {};
    expect(() => queuedDeliveryOf(record)).toThrow('the attribute delivery is missing');
    record.messageAttributes = { delivery: { dataType: 'Binary', binaryValue: 'AAAA' } };
    expect(() => queuedDeliveryOf(record)).toThrow('the attribute delivery is missing');
  });

  it('is unreadable with an event type that does not exist', () => {
    expect(() => queuedDeliveryOf(recordWith('event.type', 'PRIVATE'))).toThrow(/: event.type$/);
  });

  it.each([undefined, '1', 0])('is unreadable in no format that there was: %s', (format) => {
    expect(() => queuedDeliveryOf(recordWith('format', format))).toThrow(/: format$/);
  });

  it('is left to a later version in a later format, whatever else it has', () => {
    expect(() => queuedDeliveryOf(recordWith('format', 2))).toThrow(LaterFormat);
  });

  it('counts its attempts by its receives', () => {
    expect(
      queuedDeliveryOf(deliveryRecord('m1', aDelivery(), { receiveCount: 7 })).receiveCount,
    ).toBe(7);
  });
});
