import * as z from 'zod';
import { collectionOf, presentCollection } from '../collection.ts';
import { EVENT_DATA_SCHEMAS } from './event-data.ts';
import { EVENT_DATA_SAMPLES } from './event-data-samples.ts';
import { EVENT_TYPES, type EventType } from './event-type.ts';

/** The contract's words. */
const DESCRIPTIONS: Readonly<Record<EventType, string>> = {
  'message.received': 'Sent when an incoming message is received.',
  'message.delivered': 'Sent when an outgoing message is delivered.',
  'message.failed': 'Sent when an outgoing message failed to deliver.',
  'message.unknown':
    'Sent when an outgoing message could not be delivered due to an unknown error.',
  'phone_call.completed': 'Sent when a phone call is completed.',
  'contact.opted_out': 'Sent when a contact opted out of receiving text messages.',
  'contact.opted_in': 'Sent when a contact opted in to receiving text messages.',
  'contact.created': 'Sent when a contact is created.',
};

const eventTypeResource = z
  .strictObject({
    '@context': z.literal('/contexts/EventType.jsonld'),
    '@type': z.literal('EventType'),
    id: z.string().meta({ description: 'Its place in the collection.' }),
    name: z.enum(EVENT_TYPES).meta({
      description:
        'The key in `settings.actions`, the `action` of a webhook’s body, and the `eventType` of a delivery.',
    }),
    description: z.string().meta({ description: 'When it is sent.' }),
    schema: z.record(z.string(), z.unknown()).meta({
      description:
        'JSON Schema (2020-12) of `data`, self-contained. It allows members beyond those it ' +
        'names: ignore those you do not know.',
    }),
    sample: z
      .record(z.string(), z.unknown())
      .meta({ description: 'A `data` that is valid against it; what `POST …/test` sends.' }),
  })
  .meta({ id: 'EventType', description: 'A type of event that an integration can subscribe to.' });

export const eventTypeCollection = collectionOf(eventTypeResource, {
  id: 'EventTypeCollection',
  description: 'Every event type there is.',
});

const presentEventType = (type: EventType): z.output<typeof eventTypeResource> => ({
  '@context': '/contexts/EventType.jsonld',
  '@type': 'EventType',
  id: `/event-types#${type}`,
  name: type,
  description: DESCRIPTIONS[type],
  // Spread, which leaves behind the validator that zod attaches.
  schema: { ...z.toJSONSchema(EVENT_DATA_SCHEMAS[type]) },
  sample: EVENT_DATA_SAMPLES[type],
});

/** All of them, in the contract's order. */
export const presentEventTypes = (): z.output<typeof eventTypeCollection> =>
  presentCollection({
    path: '/event-types',
    query: {},
    members: EVENT_TYPES.map(presentEventType),
  });
