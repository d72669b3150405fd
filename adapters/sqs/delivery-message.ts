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
});

const text = (value: string): MessageAttributeValue => ({
  DataType: 'String',
  StringValue: value,
});

/** What SQS counts against its limit: body, and each attribute's name, type and value, in UTF-8. */
export const messageBytes = (delivery: Delivery): number =>
  Object.entries(deliveryAttributes(delivery)).reduce(
    (bytes, [name, { DataType = '', StringValue = '' }]) =>
      bytes + Buffer.byteLength(name + DataType + StringValue),
    Buffer.byteLength(delivery.body),
  );
