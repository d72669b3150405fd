import * as z from 'zod';
import { EVENT_CATALOGUE } from '../../event/event-catalogue.ts';
import { EVENT_TYPES, type EventType } from '../../event/event-types.ts';
import { freeForm, renamed, type Terms, terms } from '../../json-ld/vocabulary.ts';
import { eventOfDeliveryTerms } from './delivery-resource.ts';

/** Such as `MessageReceivedDelivery`: generated clients name the type of a body so. */
export const bodySchemaName = (type: EventType): string =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Delivery`;

/** Open, because receivers are to ignore members that they do not know. */
const bodyOf = (type: EventType) =>
  z
    .looseObject({
      '@context': z.literal('/contexts/WebhookDelivery.jsonld'),
      '@type': z.literal('WebhookDelivery'),
      id: z.string().meta({
        description:
          'Identifies the delivery: the same on every attempt, resend and replay. Recognise duplicates by it.',
      }),
      webHook: z.string().meta({ description: 'Path of the integration.' }),
      action: z.literal(type).meta({ description: 'The event type.' }),
      timestamp: z.iso
        .datetime({ offset: true })
        .meta({ description: 'When the event happened, as the platform wrote it.' }),
      data: EVENT_CATALOGUE[type].data,
    })
    .meta({ description: EVENT_CATALOGUE[type].description });

const namedBodyOf = (type: EventType) => bodyOf(type).meta({ id: bodySchemaName(type) });

const [FIRST_TYPE, ...OTHER_TYPES] = EVENT_TYPES;

/** What an endpoint receives: one schema for each event type, told apart by `action`. */
export const webhookBodyResource = z
  .discriminatedUnion('action', [namedBodyOf(FIRST_TYPE), ...OTHER_TYPES.map(namedBodyOf)])
  .meta({ id: 'WebhookDelivery', description: 'What an endpoint receives: an event.' });

/** JSON Schema (2020-12) of the bodies of a type. */
export const bodySchemaOf = (type: EventType) => ({
  title: bodySchemaName(type),
  ...z.toJSONSchema(bodyOf(type), {
    override: ({ jsonSchema }) => {
      // The format is enough: the pattern that zod adds is half a page long.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  }),
});

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
