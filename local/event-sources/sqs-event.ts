import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { REGION } from '../arn.ts';
import type { QueueMessage } from '../aws/queues.ts';

/** The event with which Lambda invokes a function for a batch of messages. */
export const sqsEvent = (messages: readonly QueueMessage[], queueArn: string): SQSEvent => ({
  Records: messages.map((message) => ({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.attributes as unknown as SQSRecord['attributes'],
    messageAttributes: messageAttributes(message),
    md5OfBody: message.MD5OfBody,
    ...(message.MD5OfMessageAttributes && {
      md5OfMessageAttributes: message.MD5OfMessageAttributes,
    }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  })),
});

const messageAttributes = ({ MessageAttributes = {} }: QueueMessage) =>
  Object.fromEntries(
    Object.entries(MessageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        ...(StringValue !== undefined && { stringValue: StringValue }),
        ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
        stringListValues: [],
        binaryListValues: [],
        dataType: DataType,
      },
    ]),
  );
