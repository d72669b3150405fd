import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { AWS_REQUEST_LIMITS } from '../request-limits.ts';

export const createDocumentClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient(AWS_REQUEST_LIMITS), {
    marshallOptions: { removeUndefinedValues: true },
  });
