import { presentIntegration } from '../../../../core/integration/integration-resource.ts';
import type { ListIntegrations } from '../../../../core/integration/read-integration.ts';
import { presentCollection } from '../../../../core/json-ld/collection.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

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
