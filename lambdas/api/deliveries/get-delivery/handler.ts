import type { GetDelivery } from '../../core/delivery/reading/read-deliveries.ts';
import { presentDeliveryDetails } from '../../core/delivery/resources/delivery-resource.ts';
import { apiEndpoint, integrationIn } from '../_runtime/api-endpoint.ts';
import type { Logger } from '../_runtime/reporting.ts';
import { route } from './route.ts';

export { route };

export const createHandler = (deps: { getDelivery: GetDelivery; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const details = await deps.getDelivery({
      ...integrationIn(request),
      eventId: request.parameter('event'),
    });
    return { statusCode: 200, document: presentDeliveryDetails(details) };
  });
