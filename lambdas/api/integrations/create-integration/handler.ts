import type { CreateIntegration } from '../../../../core/integration/create-integration.ts';
import {
  entityTag,
  integrationPath,
  presentIntegration,
} from '../../../../core/integration/integration-resource.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { actorOf, apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: {
  createIntegration: CreateIntegration;
  now: () => Date;
  logger: Logger;
}) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account, user } = request.principal;
    const { integration, ...shown } = await deps.createIntegration({
      account,
      by: actorOf(request),
      document: request.body,
      idempotencyKey: request.header('idempotency-key'),
    });
    deps.logger.info('integration.created', { account, user, integration: integration.id });
    return {
      statusCode: 201,
      document: presentIntegration(integration, deps.now(), shown),
      headers: { ETag: entityTag(integration) },
      location: integrationPath(integration.id),
    };
  });
