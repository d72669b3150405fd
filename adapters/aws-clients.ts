import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { tracedClient } from '#tracing';

/**
 * Limits of every call to an AWS service. By default the SDK waits without end. Each of three tries
 * has one second to connect and two seconds for the answer, so a call takes nine seconds at worst,
 * well below a function's own timeout.
 */
export const AWS_REQUEST_LIMITS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
} as const;

export const createDocumentClient = (): DynamoDBDocumentClient =>
  documentClient(new DynamoDBClient(AWS_REQUEST_LIMITS));

/**
 * A client for the delivery log alone, with two tries that both end within the deadline. The SDK
 * gives each client a quota of repeated tries: a throttled log uses up its own quota, and not the
 * quota of what matters more.
 */
export const createDeliveryLogClient = (deadlineMs: number): DynamoDBDocumentClient =>
  documentClient(
    new DynamoDBClient({
      maxAttempts: 2,
      requestHandler: {
        connectionTimeout: Math.floor(deadlineMs * 0.2),
        requestTimeout: Math.floor(deadlineMs * 0.45),
        throwOnRequestTimeout: true,
      },
    }),
  );

const documentClient = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(tracedClient(client), {
    marshallOptions: { removeUndefinedValues: true },
  });

export const createKeyClient = (): KMSClient => tracedClient(new KMSClient(AWS_REQUEST_LIMITS));

export const createQueueClient = (): SQSClient => tracedClient(new SQSClient(AWS_REQUEST_LIMITS));

export const createSchedulerClient = (): SchedulerClient =>
  tracedClient(new SchedulerClient(AWS_REQUEST_LIMITS));
