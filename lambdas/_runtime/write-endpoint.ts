import { entityTag, presentIntegration } from '../../core/integrations/present-integration.ts';
import type { WriteIntegration } from '../../core/integrations/replace-integration.ts';
import { apiEndpoint, type Route } from './api-endpoint.ts';
import { integrationIn } from './integration-path.ts';
import type { Logger } from './logger.ts';
import { preconditionOf } from './precondition.ts';

/** The route of an admin who writes an integration's settings, in whole or in part. */
export const writeEndpoint = (
  deps: { write: WriteIntegration; logger: Logger },
  options: { logName: string; mediaTypes?: Route['mediaTypes'] },
) => {
  const { logName, ...accepted } = options;
  return apiEndpoint(
    { role: 'admin', hasBody: true, ...accepted },
    deps.logger,
    async (request) => {
      const { integration, revealSecret } = await deps.write({
        ...integrationIn(request),
        body: request.body,
        precondition: preconditionOf(request.header('if-match')),
      });
      const { account, id } = integration;
      deps.logger.info(logName, { account, user: request.principal.user, integration: id });
      return {
        statusCode: 200,
        document: presentIntegration(integration, { revealSecret }),
        headers: { ETag: entityTag(integration) },
      };
    },
  );
};
