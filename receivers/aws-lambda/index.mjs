// The runtime of AWS Lambda brings this package.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createHandler } from './handler.mjs';

const sqs = new SQSClient();

export const handler = createHandler({
  enqueue: (text) =>
    sqs.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: text })),
});
