import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/**
 * Limits of every call to an AWS service, well below a function's own timeout: the SDK waits
 * without end by default. Three tries, each with a second to connect and two for an answer: nine
 * seconds at the worst.
 */
export const AWS_REQUEST_LIMITS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
} as const;

export const createDocumentClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient(AWS_REQUEST_LIMITS), {
    marshallOptions: { removeUndefinedValues: true },
  });

export const createQueueClient = (): SQSClient => new SQSClient(AWS_REQUEST_LIMITS);

export const createSchedulerClient = (): SchedulerClient => new SchedulerClient(AWS_REQUEST_LIMITS);
