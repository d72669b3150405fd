import * as z from 'zod';
import { bodySchemaOf } from '../../../core/delivery/resources/webhook-body-resource.ts';
import { eventTypeCollection, presentEventTypes } from '../../../core/event/event-type-resource.ts';
import { EVENT_TYPE_COUNT, EVENT_TYPES } from '../../../core/event/event-types.ts';
import { basePath, belowBasePath } from '../runtime/base-path.ts';
import { pathParameter } from '../runtime/path-parameter.ts';
import { HOUR_SECONDS } from '../runtime/public-endpoint.ts';
import { textRoute } from './public-route.ts';

const DOCUMENT = presentEventTypes();

export const listEventTypes = textRoute({
  path: '/event-types',
  operationId: 'listEventTypes',
  summary: 'List the event types',
  description:
    `All ${EVENT_TYPE_COUNT} event types, each with a JSON Schema (2020-12) and a sample of the \`data\` that its ` +
    'deliveries carry. One page has them all.\n\n' +
    'The platform may add members: ignore those that you do not know.',
  mediaType: 'application/json',
  maxAgeSeconds: HOUR_SECONDS,
  answer: 'The event types.',
  schema: eventTypeCollection,
  examples: { all: { summary: 'All of them', value: DOCUMENT } },
  text: (event) => JSON.stringify(belowBasePath(DOCUMENT, basePath(event))),
});

/** The JSON Schema of each type's bodies, by file name, such as `message.received.json`. */
export const EVENT_SCHEMAS: ReadonlyMap<string, object> = new Map(
  EVENT_TYPES.map((type) => [`${type}.json`, bodySchemaOf(type)]),
);

const jsonSchema = z
  .looseObject({ $schema: z.string(), title: z.string() })
  .meta({ id: 'JsonSchema', description: 'A JSON Schema (2020-12).' });

export const getEventSchema = textRoute({
  path: '/event-types/{schema}',
  operationId: 'getEventSchema',
  summary: 'Get the JSON Schema of an event type',
  description:
    'The schema of the whole body that an endpoint receives. It allows members beyond those it names: ignore those you do not know.',
  mediaType: 'application/schema+json',
  maxAgeSeconds: HOUR_SECONDS,
  answer: 'The schema.',
  schema: jsonSchema,
  examples: {
    received: {
      summary: 'Of incoming messages',
      value: EVENT_SCHEMAS.get('message.received.json'),
    },
  },
  text: (event) => {
    const found = EVENT_SCHEMAS.get(pathParameter(event, 'schema') ?? '');
    return found && JSON.stringify(found);
  },
});
