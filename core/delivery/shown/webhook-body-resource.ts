import * as z from 'zod';
import { EVENT_TYPES } from '../../event/event-types.ts';
import { freeForm, renamed, type Terms, terms } from '../../json-ld/vocabulary.ts';
import { eventOfDeliveryTerms } from './delivery-resource.ts';

/** The body that an endpoint receives, as `createDelivery` writes it. */
export const webhookBodyResource = z
  .strictObject({
    '@context': z.literal('/contexts/WebhookDelivery.jsonld'),
    '@type': z.literal('WebhookDelivery'),
    id: z.string().meta({
      description:
        'Identifies the delivery: the same on every attempt, resend and replay. Duplicates are recognised by it.',
    }),
    webHook: z.string().meta({ description: 'Path of the integration.' }),
    action: z.enum(EVENT_TYPES).meta({ description: 'The event type.' }),
    timestamp: z.iso
      .datetime({ offset: true })
      .meta({ description: 'When the event happened, as the platform wrote it.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description: 'What happened; `GET /event-types` has a schema and a sample of each type.',
    }),
  })
  .meta({ id: 'WebhookDelivery', description: 'What an endpoint receives: an event.' });

/** The webhook contract has other names for some members of a Delivery. */
export const webhookBodyTerms: Terms = {
  ...terms('WebhookDelivery'),
  ...renamed(eventOfDeliveryTerms, {
    action: 'eventType',
    timestamp: 'occurredAt',
    webHook: 'integration',
  }),
  ...freeForm('data'),
};
