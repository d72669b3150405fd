import * as z from 'zod';
import { EVENT_TYPES } from '../events/event-type.ts';
import { integrationPath } from '../integrations/present-integration.ts';
import type { MadeAttempt } from './attempt-delivery.ts';
import { deliveryId } from './delivery.ts';
import { attemptResource } from './delivery-resource.ts';
import { presentAttempt } from './present-delivery.ts';

export const webhookTestResource = z
  .strictObject({
    '@context': z.literal('/contexts/WebhookTest.jsonld'),
    '@type': z.literal('WebhookTest'),
    integration: z.string().meta({ description: 'Path of the integration.' }),
    delivery: z.string().meta({ description: 'Path of the delivery that the test made.' }),
    eventType: z.enum(EVENT_TYPES),
    request: z
      .strictObject({
        url: z.string(),
        headers: z
          .record(z.string(), z.string())
          .meta({ description: 'With the signatures, for you to compare with those you compute.' }),
        body: z.string().meta({ description: 'Byte for byte; what the signatures are of.' }),
      })
      .meta({ description: 'The POST as it was sent.' }),
    attempt: attemptResource,
  })
  .meta({
    id: 'WebhookTest',
    description: 'A sample that was sent to the endpoint, and what came back.',
  });

/** Shows signatures and body to the integrator whose they are. */
export const presentWebhookTest = ({
  attempt,
  request,
}: MadeAttempt): z.output<typeof webhookTestResource> => {
  const { integration, event } = attempt;
  return {
    '@context': '/contexts/WebhookTest.jsonld',
    '@type': 'WebhookTest',
    integration: integrationPath(integration),
    delivery: deliveryId(integration, event.id),
    eventType: event.type,
    request: { url: request.url, headers: { ...request.headers }, body: request.body },
    attempt: presentAttempt(attempt),
  };
};
