import type { GetMe } from '../../../../core/directory/get-me.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { getMe: GetMe; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal }) => ({
    statusCode: 200,
    document: await deps.getMe(principal),
  }));
