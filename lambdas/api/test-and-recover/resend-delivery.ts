import type { ResendDelivery } from '../../../core/delivery/recovery/resend-delivery.ts';
import {
  deliveryResource,
  presentDelivery,
} from '../../../core/delivery/resources/delivery-resource.ts';
import type { CallBudget } from '../../../core/directory/call-budget.ts';
import { deliveryFields, type Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';
import { integrationToCall } from './integration-to-call.ts';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/deliveries/{event}/resend',
  access: 'admin',
  isCostly: true,
  operationId: 'resendDelivery',
  tag: 'Test and recover',
  summary: 'Send an event again',
  description: [
    'Sends one delivery of the log again, delivered or not, with the same `id` and the same bytes, so that a receiver recognises a duplicate. It is sent soon after the answer, like any delivery; while the integration is `failed` or `busy`, it is pending. If an event that is set aside is refused again, only the log changes. The log has the attempt with the trigger `manual`.',
    'The answer shows the delivery before the new attempt.',
  ].join('\n\n'),
  answers: [
    {
      status: 202,
      description: 'It will be sent again.',
      schema: deliveryResource,
      recorded: { accepted: 'A delivery that was confirmed before' },
    },
  ],
  refusals: ['not-found', 'integration-inactive', 'test-delivery'],
} as const satisfies Route;

interface Deps {
  resendDelivery: ResendDelivery;
  budget: CallBudget;
  logger: Logger;
}

export const createHandler = (deps: Deps) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const integration = await integrationToCall(request, deps.budget);
    const delivery = await deps.resendDelivery(integration, request.parameter('event'));
    const { user } = request.principal;
    deps.logger.info('delivery.resent', { ...deliveryFields(delivery), user });
    return { statusCode: 202, document: presentDelivery(delivery) };
  });
