import { entityTag, presentIntegration } from '../../../core/integration/integration-resource.ts';
import type { WriteIntegration } from '../../../core/integration/write-integration.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from './api-endpoint.ts';
import { preconditionOf } from './precondition.ts';
import type { Route } from './route.ts';

/** The endpoint of a route that writes an integration's settings, wholly or in part. */
export const writeEndpoint = (
  route: Pick<Route, 'body'> & { readonly access: 'admin' },
  deps: { write: WriteIntegration; now: () => Date; logger: Logger },
  { logName }: { logName: string },
) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { integration, ...shown } = await deps.write({
      ...integrationIn(request),
      body: request.body,
      precondition: preconditionOf(request.header('if-match')),
    });
    const { account, id } = integration;
    deps.logger.info(logName, { account, user: request.principal.user, integration: id });
    return {
      statusCode: 200,
      document: presentIntegration(integration, deps.now(), shown),
      headers: { ETag: entityTag(integration) },
    };
  });
