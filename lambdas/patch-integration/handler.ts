import { entityTag, presentIntegration } from '../../core/integrations/present-integration.ts';
import type { WriteIntegration } from '../../core/integrations/replace-integration.ts';
import { apiEndpoint } from '../_runtime/api-endpoint.ts';
import { integrationIn } from '../_runtime/integration-path.ts';
import type { Logger } from '../_runtime/logger.ts';
import { preconditionOf } from '../_runtime/precondition.ts';

export const createHandler = (deps: { patchIntegration: WriteIntegration; logger: Logger }) =>
  apiEndpoint(
    { role: 'admin', hasBody: true, mediaTypes: ['application/merge-patch+json'] },
    deps.logger,
    async (request) => {
      const { integration, revealSecret } = await deps.patchIntegration({
        ...integrationIn(request),
        body: request.body,
        precondition: preconditionOf(request.header('if-match')),
      });
      const { account, id } = integration;
      deps.logger.info('integration.patched', {
        account,
        user: request.principal.user,
        integration: id,
      });
      return {
        statusCode: 200,
        document: presentIntegration(integration, { revealSecret }),
        headers: { ETag: entityTag(integration) },
      };
    },
  );
