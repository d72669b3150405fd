import type { GetStatistics } from '../../core/delivery/statistics/get-statistics.ts';
import { presentStatistics } from '../../core/delivery/statistics/statistics-resource.ts';
import { apiEndpoint, integrationIn } from '../_runtime/api-endpoint.ts';
import type { Logger } from '../_runtime/reporting.ts';
import { route } from './route.ts';

export const createHandler = (deps: { getStatistics: GetStatistics; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => ({
    statusCode: 200,
    document: presentStatistics(await deps.getStatistics(integrationIn(request))),
  }));
