import * as z from 'zod';
import { createDocumentClient, createQueueClient } from '../../../../adapters/aws-clients.ts';
import { DynamoDbDeliveryLogReader } from '../../../../adapters/dynamodb/dynamodb-delivery-log-reader.ts';
import { DynamoDbIntegrations } from '../../../../adapters/dynamodb/dynamodb-integrations.ts';
import { SqsDeliveryQueue } from '../../../../adapters/sqs/sqs-delivery-queue.ts';
import { buildResendDelivery } from '../../../../core/delivery/recovery/resend-delivery.ts';
import { text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({
  INTEGRATIONS_TABLE: text,
  DELIVERY_LOG_TABLE: text,
  DELIVERIES_QUEUE_URL: text,
});

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    resendDelivery: buildResendDelivery({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      log: new DynamoDbDeliveryLogReader(client, environment.DELIVERY_LOG_TABLE, {
        now: () => new Date(),
      }),
      deliveries: new SqsDeliveryQueue(createQueueClient(), environment.DELIVERIES_QUEUE_URL),
    }),
    logger: createLogger(),
  };
};
