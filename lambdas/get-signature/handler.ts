import type { GetSignature } from '../../core/directory/get-signature.ts';
import { apiEndpoint } from '../_runtime/api-endpoint.ts';
import type { Logger } from '../_runtime/reporting.ts';
import { route } from './route.ts';

export const createHandler = (deps: { getSignature: GetSignature; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => ({
    statusCode: 200,
    document: await deps.getSignature(request.principal.account, request.parameter('user')),
  }));
