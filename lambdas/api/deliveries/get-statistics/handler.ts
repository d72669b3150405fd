import type { GetStatistics } from '../../../../core/delivery/statistics/get-statistics.ts';
import { presentStatistics } from '../../../../core/delivery/statistics/statistics-resource.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { getStatistics: GetStatistics; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => ({
    statusCode: 200,
    document: presentStatistics(await deps.getStatistics(integrationIn(request))),
  }));
