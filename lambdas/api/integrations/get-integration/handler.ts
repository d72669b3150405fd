import {
  entityTag,
  presentIntegration,
} from '../../../../core/integration/integration-resource.ts';
import type { GetIntegration } from '../../../../core/integration/read-integration.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: {
  getIntegration: GetIntegration;
  now: () => Date;
  logger: Logger;
}) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const { account } = request.principal;
    const integration = await deps.getIntegration(account, request.parameter('id'));
    return {
      statusCode: 200,
      document: presentIntegration(integration, deps.now()),
      headers: { ETag: entityTag(integration) },
    };
  });
