import * as z from 'zod';
import { collectionOf, presentCollection } from '../json-ld/collection.ts';
import { freeForm, lists, type Terms, terms } from '../json-ld/vocabulary.ts';
import { type CatalogueEntry, dataSchemaOf, EVENT_CATALOGUE } from './event-catalogue.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

const eventTypeResource = z
  .strictObject({
    '@context': z.literal('/contexts/EventType.jsonld'),
    '@type': z.literal('EventType'),
    id: z.string().meta({ description: 'Its anchor in the collection.' }),
    name: z.enum(EVENT_TYPES).meta({
      description:
        'The key in `settings.actions`, the `action` of a webhook’s body, and the `eventType` of a delivery.',
    }),
    description: z.string().meta({ description: 'When it is sent.' }),
    version: z.int().min(1).meta({
      description: 'Grows when `data` changes in a way that can break a receiver.',
    }),
    changes: z.array(z.string()).meta({
      description: 'What changed in each version after the first, oldest first.',
    }),
    schema: z.record(z.string(), z.unknown()).meta({
      description:
        'JSON Schema (2020-12) of `data`, self-contained. It allows members beyond those it ' +
        'names: ignore those you do not know. `GET /event-types/{name}.json` has that of the body.',
    }),
    sample: z
      .record(z.string(), z.unknown())
      .meta({ description: 'A valid `data`: what `POST …/test` sends.' }),
  })
  .meta({ id: 'EventType', description: 'A type of event that an integration can subscribe to.' });

export const eventTypeTerms: Terms = {
  ...terms('EventType', 'name', 'description', 'version'),
  ...lists('changes'),
  ...freeForm('schema', 'sample'),
};

export const eventTypeCollection = collectionOf(eventTypeResource, {
  id: 'EventTypeCollection',
  description: 'All event types.',
});

const presentEventType = (type: EventType): z.output<typeof eventTypeResource> => {
  const { description, sample, changes = [] }: CatalogueEntry<z.ZodObject> = EVENT_CATALOGUE[type];
  return {
    '@context': '/contexts/EventType.jsonld',
    '@type': 'EventType',
    id: `/event-types#${type}`,
    name: type,
    description,
    version: changes.length + 1,
    changes: [...changes],
    schema: { ...dataSchemaOf(type) },
    sample,
  };
};

export const presentEventTypes = (): z.output<typeof eventTypeCollection> =>
  presentCollection({
    path: '/event-types',
    query: {},
    members: EVENT_TYPES.map(presentEventType),
  });
