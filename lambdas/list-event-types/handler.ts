import { presentEventTypes } from '../../core/event/event-type-resource.ts';
import { apiEndpoint } from '../_runtime/api-endpoint.ts';
import type { Logger } from '../_runtime/reporting.ts';
import { route } from './route.ts';

export const createHandler = (deps: { logger: Logger }) => {
  const document = presentEventTypes();
  return apiEndpoint(route, deps.logger, async () => ({ statusCode: 200, document }));
};
