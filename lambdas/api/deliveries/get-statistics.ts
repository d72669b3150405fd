import type { GetStatistics } from '../../../core/delivery/statistics/get-statistics.ts';
import {
  presentStatistics,
  statisticsResource,
} from '../../../core/delivery/statistics/statistics-resource.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/integrations/{id}/statistics',
  access: 'member',
  operationId: 'getStatistics',
  tag: 'Deliveries',
  summary: 'Get statistics',
  description:
    'How many attempts were delivered, transient and fatal, how long they took, and how many events were delivered, for each of the last 24 hours and of the last 30 days (UTC). An attempt counts in the hour in which it begins, a minute or two later. Tests do not count. Hours and days without attempts have zeros.',
  answers: [
    {
      status: 200,
      description: 'The statistics.',
      schema: statisticsResource,
      recorded: { counted: 'An integration whose first event happened today' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { getStatistics: GetStatistics; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => ({
    statusCode: 200,
    document: presentStatistics(await deps.getStatistics(integrationIn(request))),
  }));
