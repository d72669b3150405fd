import type { SQSEvent, SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import { deliveryMessage } from '../../../core/delivery/delivery-queue.ts';

export const aRecord = (
  messageId: string,
  body: string,
  { receiveCount = 1, messageAttributes = {} as SQSMessageAttributes } = {},
): SQSRecord => ({
  messageId,
  receiptHandle: `receipt of ${messageId}`,
  body,
  attributes: {
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: '1795176000000',
    SenderId: 'AIDA',
    ApproximateFirstReceiveTimestamp: '1795176000100',
  },
  messageAttributes,
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:queue',
  awsRegion: 'eu-central-1',
});

/** The record Lambda makes of a message that the delivery queue's adapter sent. */
export const deliveryRecord = (
  messageId: string,
  delivery: Delivery,
  { receiveCount = 1 } = {},
): SQSRecord =>
  aRecord(messageId, delivery.body, {
    receiveCount,
    messageAttributes: Object.fromEntries(
      Object.entries(deliveryMessage(delivery).attributes).map(([name, stringValue]) => [
        name,
        { dataType: 'String', stringValue },
      ]),
    ) as SQSMessageAttributes,
  });

export const aBatch = (...records: SQSRecord[]): SQSEvent => ({ Records: records });
