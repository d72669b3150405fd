import { eventTypeCollection, presentEventTypes } from '../../../core/event/event-type-resource.ts';
import { EVENT_TYPE_COUNT } from '../../../core/event/event-types.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

const DOCUMENT = presentEventTypes();

export const route = {
  method: 'GET',
  path: '/event-types',
  access: 'member',
  operationId: 'listEventTypes',
  tag: 'Reference',
  summary: 'List the event types',
  description:
    `All ${EVENT_TYPE_COUNT} event types, each with a JSON Schema (2020-12) and a sample of the \`data\` that its ` +
    'deliveries carry. One page has them all.\n\n' +
    'The schemas tell what the platform sends today. It may add members, so a receiver should ' +
    'ignore those it does not know.',
  answers: [
    {
      status: 200,
      description: 'The event types.',
      schema: eventTypeCollection,
      examples: { all: { summary: 'All of them', value: DOCUMENT } },
    },
  ],
  refusals: [],
} as const satisfies Route;

export const createHandler = (deps: { logger: Logger }) =>
  apiEndpoint(route, deps.logger, async () => ({ statusCode: 200, document: DOCUMENT }));
