import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DynamoDbDeliveryLog } from '../../../adapters/dynamodb/dynamodb-delivery-log.ts';
import { createDelivery } from '../../../core/delivery/route-event.ts';
import type { PlatformEvent } from '../../../core/event/event.ts';
import { awsClientConfig } from './platform.ts';
import type { SampleEvent } from './platform-of.ts';
import { outputs } from './service-state.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfig));

/** Writes deliveries to the log only, as if their messages had expired in the queue. */
export const loseDeliveries = async (
  { bareId }: { bareId: string },
  ...events: readonly SampleEvent[]
): Promise<void> => {
  const log = new DynamoDbDeliveryLog(client, (await outputs).DeliveryLogTableName ?? '', {
    retentionDays: 30,
    deadlineMs: 8_000,
    now: () => new Date(),
  });
  const deliveries = events.map((event) => createDelivery(event as PlatformEvent, bareId));
  await log.list(deliveries);
};
