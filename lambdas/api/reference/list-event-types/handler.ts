import { presentEventTypes } from '../../../../core/event/event-type-resource.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { logger: Logger }) => {
  const document = presentEventTypes();
  return apiEndpoint(route, deps.logger, async () => ({ statusCode: 200, document }));
};
