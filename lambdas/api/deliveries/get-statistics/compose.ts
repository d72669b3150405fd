import * as z from 'zod';
import { createDocumentClient } from '../../../../adapters/aws-clients.ts';
import { DynamoDbIntegrations } from '../../../../adapters/dynamodb/dynamodb-integrations.ts';
import { DynamoDbPendingView } from '../../../../adapters/dynamodb/dynamodb-pending-view.ts';
import { DynamoDbStatisticsView } from '../../../../adapters/dynamodb/dynamodb-statistics-view.ts';
import { buildGetStatistics } from '../../../../core/delivery/statistics/get-statistics.ts';
import { pendingVariables, statisticsVariables, text } from '../../../runtime/environment.ts';
import { createLogger } from '../../../runtime/reporting.ts';

export const environmentSchema = z.object({
  ...pendingVariables,
  ...statisticsVariables,
  INTEGRATIONS_TABLE: text,
});

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const client = createDocumentClient();
  return {
    getStatistics: buildGetStatistics({
      integrations: new DynamoDbIntegrations(client, environment.INTEGRATIONS_TABLE),
      statistics: new DynamoDbStatisticsView(client, environment.STATISTICS_TABLE),
      pending: new DynamoDbPendingView(client, environment.PENDING_EVENTS_TABLE),
      now: () => new Date(),
    }),
    logger: createLogger(),
  };
};
