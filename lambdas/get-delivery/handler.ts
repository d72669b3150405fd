import { presentDeliveryDetails } from '../../core/delivery/shown/delivery-resource.ts';
import type { GetDelivery } from '../../core/delivery/shown/get-delivery.ts';
import { apiEndpoint } from '../_runtime/api-endpoint.ts';
import { integrationIn } from '../_runtime/integration-path.ts';
import type { Logger } from '../_runtime/logger.ts';
import { route } from './route.ts';

export const createHandler = (deps: { getDelivery: GetDelivery; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const details = await deps.getDelivery({
      ...integrationIn(request),
      eventId: request.parameter('event'),
    });
    return { statusCode: 200, document: presentDeliveryDetails(details) };
  });
