import * as z from 'zod';
import type { ListDeliveries } from '../../../core/delivery/reading/read-deliveries.ts';
import {
  deliveryCollection,
  outcome,
  presentDelivery,
} from '../../../core/delivery/resources/delivery-resource.ts';
import type { SearchDeliveries } from '../../../core/delivery/search/search-deliveries.ts';
import { MAX_SUBJECT_LENGTH } from '../../../core/delivery/search/subject.ts';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { integrationPath } from '../../../core/integration/integration-resource.ts';
import { presentCollection } from '../../../core/json-ld/collection.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import {
  cursorParameter,
  instantParameter,
  limitParameter,
  SINCE_BEFORE_UNTIL,
} from '../runtime/query-parameters.ts';
import type { Route } from '../runtime/route.ts';
import { listedDelivery } from './delivery-examples.ts';

const query = z
  .strictObject({
    about: z
      .string()
      .min(1, 'must not be empty')
      .max(MAX_SUBJECT_LENGTH, `must have at most ${MAX_SUBJECT_LENGTH} characters`)
      .optional()
      .meta({
        description:
          'The delivery of the event with this id, whatever the other parameters. Otherwise those about the message, contact or call with this id: `data.message.id` of `message.…` events, `data.contact.id` of `contact.…` events, `data.phoneCall.id` of `phone_call.…` events; they are found about a minute after they are logged.',
      }),
    outcome: outcome.optional().meta({
      description:
        '`delivered`: those that arrived, whatever came of a later attempt. `transient`, `fatal`: those that did not, by their latest attempt.',
    }),
    delivered: z.enum(['true', 'false']).optional().meta({
      description:
        '`false`: those that did not arrive so far, pending ones without an attempt included, tests not: what `recover` sends. `true`: those that arrived.',
    }),
    eventType: z.enum(EVENT_TYPES).optional().meta({ description: 'Only those of this type.' }),
    since: instantParameter.optional().meta({
      description:
        'Only events that occurred at this instant or later: RFC 3339, such as `2026-11-20T12:00:00Z`; `+` as `%2B`.',
    }),
    until: instantParameter.optional().meta({
      description:
        'Only events that occurred before this instant: RFC 3339, such as `2026-11-21T00:00:00Z`; `+` as `%2B`.',
    }),
    limit: limitParameter,
    cursor: cursorParameter,
  })
  .refine(...SINCE_BEFORE_UNTIL);

export const route = {
  method: 'GET',
  path: '/integrations/{id}/deliveries',
  access: 'member',
  operationId: 'listDeliveries',
  tag: 'Deliveries',
  summary: 'List what was sent to an integration',
  description:
    'The delivery log, newest first by when the events occurred: every event that was sent to the integration or waits for it, tests included, with its latest attempt. Kept for 30 days. A page may have fewer members than `limit`, even none, and still a `view.next`: follow it until there is none.',
  query,
  answers: [
    {
      status: 200,
      description: 'A page of deliveries.',
      schema: deliveryCollection,
      examples: {
        page: {
          summary: 'The first page of more',
          value: presentCollection({
            path: '/integrations/8Fq2LmZ0aBcD/deliveries',
            query: { outcome: 'delivered', limit: 1 },
            members: [listedDelivery],
            next: 'MjAyNi0xMS0yMFQxMjowMDowMC4wMDBaI2V2dF8wMUpEOFE',
          }),
        },
        about: {
          summary: 'What is about a message',
          value: presentCollection({
            path: '/integrations/8Fq2LmZ0aBcD/deliveries',
            query: { about: 'msg_1', limit: 20 },
            members: [listedDelivery],
          }),
        },
      },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

interface Deps {
  readonly listDeliveries: ListDeliveries;
  readonly searchDeliveries: SearchDeliveries;
  readonly logger: Logger;
}

export const createHandler = (deps: Deps) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const integration = integrationIn(request);
    const { about, outcome, delivered, eventType, since, until, limit, cursor } = request.query;
    const page = {
      filter: {
        ...(outcome && { outcome }),
        ...(delivered && { isDelivered: delivered === 'true' }),
        ...(eventType && { eventType }),
        ...(since !== undefined && { since: new Date(since) }),
        ...(until !== undefined && { until: new Date(until) }),
      },
      limit,
      after: cursor,
    };
    const { deliveries, next } =
      about === undefined
        ? await deps.listDeliveries(integration, page)
        : await deps.searchDeliveries(integration, { ...page, about });
    return {
      statusCode: 200,
      document: presentCollection({
        path: `${integrationPath(integration.id)}/deliveries`,
        query: { about, outcome, delivered, eventType, since, until, limit, cursor },
        members: deliveries.map((delivery) => presentDelivery(delivery)),
        next,
      }),
    };
  });
