import * as z from 'zod';
import {
  integrationResource,
  presentIntegration,
} from '../../../core/integration/integration-resource.ts';
import type { ListIntegrations } from '../../../core/integration/read-integration.ts';
import { collectionOf, presentCollection } from '../../../core/json-ld/collection.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import { cursorParameter, limitParameter } from '../runtime/query-parameters.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/{account_name}/integrations',
  access: 'member',
  operationId: 'listIntegrations',
  tag: 'Integrations',
  summary: 'List an account’s integrations',
  description: 'By id. `account_name` is the account of the token. Secrets are `[FILTERED]`.',
  query: z.strictObject({ limit: limitParameter, cursor: cursorParameter }),
  answers: [
    {
      status: 200,
      description: 'A page of the account’s integrations.',
      schema: collectionOf(integrationResource, {
        id: 'IntegrationCollection',
        description: 'A page of an account’s integrations.',
      }),
      recorded: { page: 'A page, with the path of the next one' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: {
  listIntegrations: ListIntegrations;
  now: () => Date;
  logger: Logger;
}) =>
  apiEndpoint(route, deps.logger, async ({ principal: { account }, query }) => {
    const { integrations, next } = await deps.listIntegrations({ account, ...query });
    const now = deps.now();
    return {
      statusCode: 200,
      document: presentCollection({
        path: `/${account}/integrations`,
        query,
        members: integrations.map((integration) => presentIntegration(integration, now)),
        next,
      }),
    };
  });
