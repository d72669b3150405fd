import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { DynamoDbDeliveryLogReader } from '../../../../adapters/dynamodb/dynamodb-delivery-log-reader.ts';
import { DynamoDbIntegrations } from '../../../../adapters/dynamodb/dynamodb-integrations.ts';
import { buildListDeliveries } from '../../../../core/delivery/shown/list-deliveries.ts';
import { text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ INTEGRATIONS_TABLE: text, DELIVERY_LOG_TABLE: text });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    listDeliveries: buildListDeliveries({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      log: new DynamoDbDeliveryLogReader(client, environment.DELIVERY_LOG_TABLE, {
        now: () => new Date(),
      }),
    }),
    logger: createLogger(),
  };
};
