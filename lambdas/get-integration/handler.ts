import type { Integration } from '../../core/integrations/integration.ts';
import { entityTag, presentIntegration } from '../../core/integrations/present-integration.ts';
import { apiEndpoint } from '../_runtime/api-endpoint.ts';
import type { Logger } from '../_runtime/logger.ts';

export const createHandler = (deps: {
  getIntegration: (account: string, id: string) => Promise<Integration>;
  logger: Logger;
}) =>
  apiEndpoint({ role: 'member', hasBody: false }, deps.logger, async (request) => {
    const { account } = request.principal;
    const integration = await deps.getIntegration(account, request.parameter('id'));
    return {
      statusCode: 200,
      document: presentIntegration(integration),
      headers: { ETag: entityTag(integration) },
    };
  });
