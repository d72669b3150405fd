import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { DynamoDbDeliveryLogReader } from '../../../../adapters/dynamodb/dynamodb-delivery-log-reader.ts';
import { DynamoDbIntegrations } from '../../../../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbPendingView } from '../../../../adapters/dynamodb/dynamodb-pending-view.ts';
import { buildGetDelivery } from '../../../../core/delivery/shown/get-delivery.ts';
import { pendingVariables, text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({
  ...pendingVariables,
  INTEGRATIONS_TABLE: text,
  DELIVERY_LOG_TABLE: text,
});

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    getDelivery: buildGetDelivery({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      log: new DynamoDbDeliveryLogReader(client, environment.DELIVERY_LOG_TABLE, {
        now: () => new Date(),
      }),
      pending: new DynamoDbPendingView(client, environment.PENDING_EVENTS_TABLE),
    }),
    logger: createLogger(),
  };
};
