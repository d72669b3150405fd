import type { ListDeliveries } from '../../../../core/delivery/reading/read-deliveries.ts';
import { presentDelivery } from '../../../../core/delivery/resources/delivery-resource.ts';
import { integrationPath } from '../../../../core/integration/integration-resource.ts';
import { presentCollection } from '../../../../core/json-ld/collection.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { listDeliveries: ListDeliveries; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const integration = integrationIn(request);
    const { outcome, eventType, since, until, limit, cursor } = request.query;
    const { deliveries, next } = await deps.listDeliveries(integration, {
      filter: {
        ...(outcome && { outcome }),
        ...(eventType && { eventType }),
        ...(since !== undefined && { since: new Date(since) }),
        ...(until !== undefined && { until: new Date(until) }),
      },
      limit,
      after: cursor,
    });
    return {
      statusCode: 200,
      document: presentCollection({
        path: `${integrationPath(integration.id)}/deliveries`,
        query: { outcome, eventType, since, until, limit, cursor },
        members: deliveries.map((delivery) => presentDelivery(delivery)),
        next,
      }),
    };
  });
