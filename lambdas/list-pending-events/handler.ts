import { presentCollection } from '../../core/collection.ts';
import type { ListPendingEvents } from '../../core/delivery/list-pending-events.ts';
import type { PendingCount } from '../../core/delivery/pending-view.ts';
import { presentDelivery } from '../../core/delivery/present-delivery.ts';
import { integrationPath } from '../../core/integrations/present-integration.ts';
import { apiEndpoint } from '../_runtime/api-endpoint.ts';
import { integrationIn } from '../_runtime/integration-path.ts';
import type { Logger } from '../_runtime/logger.ts';
import { route } from './route.ts';

export const createHandler = (deps: { listPendingEvents: ListPendingEvents; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const integration = integrationIn(request);
    const { limit, cursor } = request.query;
    const page = await deps.listPendingEvents(integration, { limit, after: cursor });
    return {
      statusCode: 200,
      document: presentCollection({
        path: `${integrationPath(integration.id)}/pending-events`,
        query: { limit, cursor },
        members: page.deliveries.map((delivery) => presentDelivery(delivery, { isPending: true })),
        next: page.next,
        ...(page.total && totalOf(page.total)),
      }),
    };
  });

const totalOf = ({ count, isExact }: PendingCount) =>
  isExact ? { totalItems: count } : { totalItemsAtLeast: count };
