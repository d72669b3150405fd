import type { PendingCount } from '../../../../core/delivery/pending/pending-view.ts';
import type { ListPendingEvents } from '../../../../core/delivery/reading/read-deliveries.ts';
import { presentDelivery } from '../../../../core/delivery/resources/delivery-resource.ts';
import { integrationPath } from '../../../../core/integration/integration-resource.ts';
import { presentCollection } from '../../../../core/json-ld/collection.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { listPendingEvents: ListPendingEvents; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const integration = integrationIn(request);
    const { state, limit, cursor } = request.query;
    const page = await deps.listPendingEvents(integration, {
      state: state ?? 'pending',
      limit,
      after: cursor,
    });
    const shown = state === 'set-aside' ? { isSetAside: true } : { isPending: true };
    return {
      statusCode: 200,
      document: presentCollection({
        path: `${integrationPath(integration.id)}/pending-events`,
        query: { state, limit, cursor },
        members: page.deliveries.map((delivery) => presentDelivery(delivery, shown)),
        next: page.next,
        ...(page.total && totalOf(page.total)),
      }),
    };
  });

const totalOf = ({ count, isExact }: PendingCount) =>
  isExact ? { totalItems: count } : { totalItemsAtLeast: count };
