import { SQSClient } from '@aws-sdk/client-sqs';
import { AWS_REQUEST_LIMITS } from '../request-limits.ts';

export const createQueueClient = (): SQSClient => new SQSClient(AWS_REQUEST_LIMITS);
