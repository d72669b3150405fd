import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/dynamodb-delivery-log.ts';
import type { deliveryLogVariables, Parsed } from '../_runtime/environment.ts';

export const composeDeliveryLog = (
  environment: Parsed<typeof deliveryLogVariables>,
  client: DynamoDBDocumentClient,
) =>
  new DynamoDbDeliveryLog(client, environment.DELIVERY_LOG_TABLE, {
    retentionDays: environment.DELIVERY_LOG_RETENTION_DAYS,
    now: () => new Date(),
  });
