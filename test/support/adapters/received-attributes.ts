import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { DeadLetter } from '../../../core/delivery/delivery-queue.ts';

/** A message's attributes as Lambda gives them to a function. */
export const asReceived = (
  attributes: Record<string, MessageAttributeValue>,
): DeadLetter['attributes'] =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType = '', StringValue, BinaryValue }]) => [
      name,
      {
        dataType: DataType,
        ...(StringValue !== undefined && { stringValue: StringValue }),
        ...(BinaryValue && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
      },
    ]),
  );
