import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { LaterFormat, UnreadableMessage } from '../../../../core/delivery/message-format.ts';
import { queuedDeliveryOf } from '../../../../lambdas/consumers/deliver-webhook/handler.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import {
  aDeliveringHandler,
  recordOf,
  throttled,
} from '../../../support/lambdas/delivering-handler.ts';
import {
  ALL_DONE,
  aRecord,
  deliveryRecord,
  kept,
} from '../../../support/lambdas/queue-functions.ts';

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

const withHead = (record: SQSRecord, head: string): SQSRecord => ({
  ...record,
  messageAttributes: { delivery: { dataType: 'String', stringValue: head } },
});

/** A record of a delivery with another value for a member, or without the member. */
const recordWith = (path: string, value?: unknown): SQSRecord => {
  const record = deliveryRecord('m1', aDelivery());
  const head = JSON.parse(record.messageAttributes.delivery?.stringValue ?? '');
  const [name = '', inner] = path.split('.');
  if (inner === undefined) head[name] = value;
  else head[name][inner] = value;
  return withHead(record, JSON.stringify(head));
};

describe('A message of the deliveries queue', () => {
  it.each(['event', 'replay', 'manual'] as const)(
    'is the delivery of trigger %s that was sent, and its receives',
    (trigger) => {
      const delivery = aDelivery({ body: '{"text":"Grüße 👋"}', trigger });
      const record = deliveryRecord('m1', delivery, { receiveCount: 7 });
      expect(queuedDeliveryOf(record)).toMatchObject({ delivery, receiveCount: 7 });
      expect(queuedDeliveryOf(record).delivery).toEqual(delivery);
    },
  );

  it.each(NAMES)('is unreadable without its %s, or with an empty one', (name) => {
    expect(() => queuedDeliveryOf(recordWith(name))).toThrow(UnreadableMessage);
    expect(() => queuedDeliveryOf(recordWith(name))).toThrow(new RegExp(`: ${name}$`));
    expect(() => queuedDeliveryOf(recordWith(name, ''))).toThrow(UnreadableMessage);
  });

  it.each([
    ['trigger', 'backoff'],
    ['trigger', 'hourly'],
    ['format', undefined],
    ['format', '1'],
    ['format', 0],
  ])('is unreadable with the %s %j', (name, value) => {
    expect(() => queuedDeliveryOf(recordWith(name, value))).toThrow(new RegExp(`: ${name}$`));
  });

  it('is unreadable without its attribute, or with a binary one', () => {
    const missing = 'the attribute delivery is missing';
    const record = deliveryRecord('m1', aDelivery());
    record.messageAttributes = {};
    expect(() => queuedDeliveryOf(record)).toThrow(missing);
    record.messageAttributes = { delivery: { dataType: 'Binary', binaryValue: 'AAAA' } };
    expect(() => queuedDeliveryOf(record)).toThrow(missing);
  });

  it('is left to a later version in a later format', () => {
    expect(() => queuedDeliveryOf(recordWith('format', 2))).toThrow(LaterFormat);
  });
});

describe('An unreadable message of the deliveries queue', () => {
  const receiving = (deadLetters = new InMemoryDeadLetters()) => ({
    ...aDeliveringHandler({ deadLetters }),
    deadLetters,
  });

  it('is a dead letter, and the others are delivered', async () => {
    const { deliver, deadLetters } = receiving();
    const stray = aRecord('m1', '{"stray":1}');
    expect(await deliver(stray, recordOf('evt_01JD'))).toEqual(ALL_DONE);
    const reason = 'the attribute delivery is missing';
    expect(deadLetters.letters).toEqual([{ text: '{"stray":1}', attributes: {}, reason }]);
  });

  it('is a dead letter with its attributes, so that it can be moved back', async () => {
    const { deliver, deadLetters } = receiving();
    const record = withHead(recordOf('evt_01JD'), '{"format":1}');
    expect(await deliver(record)).toEqual(ALL_DONE);
    const { body: text, messageAttributes: attributes } = record;
    expect(deadLetters.letters).toMatchObject([{ text, attributes }]);
  });

  it('stays in its queue if a later version wrote it', async () => {
    const { deliver, deadLetters, logger } = receiving();
    const record = withHead(recordOf('m1'), '{"format":2,"of":"tomorrow"}');
    expect(await deliver(record)).toEqual(kept('m1'));
    expect(deadLetters.letters).toEqual([]);
    expect(logger.named('record.failed')).toMatchObject([
      { error: 'LaterFormat: the message has format 2, and this version reads up to 1' },
    ]);
  });

  it('stays in its queue if it cannot become a dead letter', async () => {
    const deadLetters = Object.assign(new InMemoryDeadLetters(), { add: throttled });
    expect(await receiving(deadLetters).deliver(aRecord('m1', '{}'))).toEqual(kept('m1'));
  });
});
