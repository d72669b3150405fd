import { deliveryResource } from '../../../../core/delivery/resources/delivery-resource.ts';
import { listedDelivery } from '../../deliveries/delivery-examples.ts';
import type { Route } from '../../runtime/route.ts';

export const route = {
  method: 'POST',
  path: '/integrations/{id}/deliveries/{event}/resend',
  access: 'admin',
  isCostly: true,
  operationId: 'resendDelivery',
  tag: 'Test and recover',
  summary: 'Send an event again',
  description: [
    'Sends one delivery of the log again, whether it arrived or not, with the same `id` and the same bytes: a receiver recognises what it has processed already. It is sent soon after the answer, and treated as every delivery is; while the integration is `failed` or `busy` it waits with the pending events. If an event that is set aside is refused again, only the log changes. The attempt is in the log, with the trigger `manual`.',
    'The answer shows the delivery as it was before.',
  ].join('\n\n'),
  answers: [
    {
      status: 202,
      description: 'It will be sent again.',
      schema: deliveryResource,
      examples: { accepted: { summary: 'One that arrived before', value: listedDelivery } },
    },
  ],
  refusals: ['not-found', 'integration-inactive', 'test-delivery'],
} as const satisfies Route;
