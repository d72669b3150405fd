import type { GetDelivery } from '../../../core/delivery/reading/read-deliveries.ts';
import {
  deliveryDetailsResource,
  presentDeliveryDetails,
} from '../../../core/delivery/resources/delivery-resource.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/integrations/{id}/deliveries/{event}',
  access: 'member',
  operationId: 'getDelivery',
  tag: 'Deliveries',
  summary: 'Get a delivery with its attempts',
  description:
    'One event for one integration: the body that every attempt sends, each attempt with its answer, and whether the delivery is pending or set aside. `{event}` is the event’s id, the last segment of the delivery’s `id`. Stored for 30 days after the latest attempt.',
  answers: [
    {
      status: 200,
      description: 'The delivery.',
      schema: deliveryDetailsResource,
      recorded: { delivered: 'Delivered at the second attempt' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { getDelivery: GetDelivery; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const details = await deps.getDelivery({
      ...integrationIn(request),
      eventId: request.parameter('event'),
    });
    return { statusCode: 200, document: presentDeliveryDetails(details) };
  });
