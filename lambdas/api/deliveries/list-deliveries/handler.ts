import type { ListDeliveries } from '../../../../core/delivery/reading/read-deliveries.ts';
import { presentDelivery } from '../../../../core/delivery/resources/delivery-resource.ts';
import type { SearchDeliveries } from '../../../../core/delivery/search/search-deliveries.ts';
import { integrationPath } from '../../../../core/integration/integration-resource.ts';
import { presentCollection } from '../../../../core/json-ld/collection.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

interface Deps {
  readonly listDeliveries: ListDeliveries;
  readonly searchDeliveries: SearchDeliveries;
  readonly logger: Logger;
}

export const createHandler = (deps: Deps) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const integration = integrationIn(request);
    const { about, outcome, eventType, since, until, limit, cursor } = request.query;
    const page = {
      filter: {
        ...(outcome && { outcome }),
        ...(eventType && { eventType }),
        ...(since !== undefined && { since: new Date(since) }),
        ...(until !== undefined && { until: new Date(until) }),
      },
      limit,
      after: cursor,
    };
    const { deliveries, next } =
      about === undefined
        ? await deps.listDeliveries(integration, page)
        : await deps.searchDeliveries(integration, { ...page, about });
    return {
      statusCode: 200,
      document: presentCollection({
        path: `${integrationPath(integration.id)}/deliveries`,
        query: { about, outcome, eventType, since, until, limit, cursor },
        members: deliveries.map((delivery) => presentDelivery(delivery)),
        next,
      }),
    };
  });
