import { apiEndpoint } from '../_runtime/api-endpoint.ts';
import type { Logger } from '../_runtime/logger.ts';

export const createHandler = (deps: {
  getSignature: (account: string, user: string) => Promise<Record<string, string>>;
  logger: Logger;
}) =>
  apiEndpoint({ role: 'member', hasBody: false }, deps.logger, async (request) => ({
    statusCode: 200,
    document: await deps.getSignature(request.principal.account, request.parameter('user')),
  }));
