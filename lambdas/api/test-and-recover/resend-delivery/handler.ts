import type { ResendDelivery } from '../../../../core/delivery/recovery/resend-delivery.ts';
import { presentDelivery } from '../../../../core/delivery/resources/delivery-resource.ts';
import { deliveryFields, type Logger } from '../../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../../runtime/api-endpoint.ts';
import { route } from './route.ts';

export const createHandler = (deps: { resendDelivery: ResendDelivery; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const delivery = await deps.resendDelivery(integrationIn(request), request.parameter('event'));
    const { user } = request.principal;
    deps.logger.info('delivery.resent', { ...deliveryFields(delivery), user });
    return { statusCode: 202, document: presentDelivery(delivery) };
  });
