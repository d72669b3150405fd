import type { GetSignature } from '../../../../core/directory/get-signature.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { getSignature: GetSignature; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => ({
    statusCode: 200,
    document: await deps.getSignature(request.principal.account, request.parameter('user')),
  }));
