import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { DynamoDbIntegrations } from '../../../../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbPendingView } from '../../../../adapters/dynamodb/dynamodb-pending-view.ts';
import { buildListPendingEvents } from '../../../../core/delivery/shown/list-pending-events.ts';
import { pendingVariables, text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({ ...pendingVariables, INTEGRATIONS_TABLE: text });

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    listPendingEvents: buildListPendingEvents({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      pending: new DynamoDbPendingView(client, environment.PENDING_EVENTS_TABLE),
    }),
    logger: createLogger(),
  };
};
