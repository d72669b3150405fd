import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/dynamodb-pending-events.ts';

export const composePendingEvents = (
  environment: { PENDING_EVENTS_TABLE: string },
  client: DynamoDBDocumentClient,
) =>
  new DynamoDbPendingEvents(client, environment.PENDING_EVENTS_TABLE, { newVersion: randomUUID });
