import type { SQSRecord } from 'aws-lambda';
import {
  parseDeliveryMessage,
  type QueuedDelivery,
} from '../../../core/delivery/delivery-queue.ts';
import { attributesOf } from '../runtime/sqs-batch.ts';

/** The delivery in a record. `receiveCount` includes receives that ended in a crash. */
export const queuedDeliveryOf = (record: SQSRecord): QueuedDelivery => ({
  messageId: record.messageId,
  delivery: parseDeliveryMessage({ body: record.body, attributes: attributesOf(record) }),
  receiveCount: Number(record.attributes.ApproximateReceiveCount),
  firstReceivedAt: new Date(Number(record.attributes.ApproximateFirstReceiveTimestamp)),
});
