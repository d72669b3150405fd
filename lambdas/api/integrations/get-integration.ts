import {
  CONTINUE_ADVICE,
  entityTag,
  integrationResource,
  presentIntegration,
} from '../../../core/integration/integration-resource.ts';
import type { GetIntegration } from '../../../core/integration/read-integration.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { readIntegration } from './integration-examples.ts';

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
      examples: {
        active: { summary: 'Active', value: readIntegration },
        failed: {
          summary: 'The endpoint keeps failing',
          value: {
            ...readIntegration,
            status: 'failed',
            isHealthy: false,
            failure: {
              since: '2026-11-20T13:00:01.870Z',
              statusCode: 500,
              lastAttemptAt: '2026-11-20T14:00:02.104Z',
              nextAttemptAt: '2026-11-20T15:00:02.000Z',
            },
          },
        },
        refusesSome: {
          summary: 'The endpoint refuses some events and confirms others',
          value: {
            ...readIntegration,
            status: 'failed',
            isHealthy: false,
            failure: {
              since: '2026-11-20T13:00:01.870Z',
              statusCode: 422,
              lastAttemptAt: '2026-11-20T13:00:01.870Z',
              nextAttemptAt: '2026-11-20T14:00:02.000Z',
              advice: CONTINUE_ADVICE,
            },
          },
        },
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
