import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { Delivery } from '../../core/delivery/delivery.ts';

/**
 * A delivery as a message: its body is the message's body, byte for byte, so that it is neither
 * escaped a second time nor serialised again; the rest travels in attributes.
 */
export const deliveryAttributes = (delivery: Delivery): Record<string, MessageAttributeValue> => ({
  account: text(delivery.account),
  integration: text(delivery.integration),
  eventId: text(delivery.event.id),
  eventType: text(delivery.event.type),
  occurredAt: text(delivery.event.occurredAt),
  trigger: text(delivery.trigger),
  priorAttempts: { DataType: 'Number', StringValue: String(delivery.priorAttempts) },
});

const text = (value: string): MessageAttributeValue => ({
  DataType: 'String',
  StringValue: value,
});

/** More than one attempt an hour makes in a lifetime. */
const MANY_ATTEMPTS = 999_999_999;

const LONGEST_TRIGGER = 'replay' satisfies Delivery['trigger'];

/**
 * What SQS counts against its limit: body, and each attribute's name, type and value, in UTF-8. Of
 * the largest form a delivery can take: one that was enqueued must fit again when it is replayed.
 */
export const messageBytes = (delivery: Delivery): number =>
  Object.entries(
    deliveryAttributes({ ...delivery, trigger: LONGEST_TRIGGER, priorAttempts: MANY_ATTEMPTS }),
  ).reduce(
    (bytes, [name, { DataType = '', StringValue = '' }]) =>
      bytes + Buffer.byteLength(name + DataType + StringValue),
    Buffer.byteLength(delivery.body),
  );
