import {
  entityTag,
  integrationResource,
  presentIntegration,
} from '../../../core/integration/integration-resource.ts';
import type { GetIntegration } from '../../../core/integration/read-integration.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/integrations/{id}',
  access: 'member',
  operationId: 'getIntegration',
  tag: 'Integrations',
  summary: 'Get an integration',
  description:
    'Secrets are `[FILTERED]`. While its `status` is `failed`, `failure` has the beginning, the reason, the time of the next attempt, and sometimes `advice`.',
  answers: [
    {
      status: 200,
      description: 'The integration.',
      schema: integrationResource,
      headers: ['ETag'],
      recorded: {
        active: 'Active',
        failed: 'The endpoint keeps failing',
        refusesSome: 'The endpoint refuses some events and confirms others',
      },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

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
