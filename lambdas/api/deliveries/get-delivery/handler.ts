import type { GetDelivery } from '../../../../core/delivery/reading/read-deliveries.ts';
import { presentDeliveryDetails } from '../../../../core/delivery/resources/delivery-resource.ts';
import type { Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { getDelivery: GetDelivery; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const details = await deps.getDelivery({
      ...integrationIn(request),
      eventId: request.parameter('event'),
    });
    return { statusCode: 200, document: presentDeliveryDetails(details) };
  });
