import * as z from 'zod';
import { EVENT_TYPES } from '../../event/event-types.ts';
import { integrationPath } from '../../integration/integration-resource.ts';
import { addresses, freeForm, links, type Terms, terms } from '../../json-ld/vocabulary.ts';
import type { MadeAttempt } from '../attempt/make-attempt.ts';
import { deliveryId } from '../delivery.ts';
import { attemptResource, attemptTerms, presentAttempt } from './delivery-resource.ts';

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

export const webhookTestTerms: Terms = {
  ...attemptTerms,
  ...terms('WebhookTest', 'eventType', 'request', 'attempt', 'body'),
  ...links('integration', 'delivery'),
  ...addresses('url'),
  ...freeForm('headers'),
};

/** A test as the API shows it, with the signatures and the body: they are the integrator's own. */
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
