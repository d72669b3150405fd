import * as z from 'zod';
import { IN_WORDS } from '../../../core/customer-limits.ts';
import type { DeliveryFilter } from '../../../core/delivery/delivery-log-reader.ts';
import type { ListDeliveries } from '../../../core/delivery/reading/read-deliveries.ts';
import {
  deliveryCollection,
  outcome,
  presentDelivery,
} from '../../../core/delivery/resources/delivery-resource.ts';
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

/** What the query selects of deliveries, and the page. */
export const deliveriesQuery = {
  outcome: outcome.optional().meta({
    description:
      '`delivered`: deliveries that were confirmed, whatever the result of later attempts. `transient`, `fatal`: others, by their latest attempt.',
  }),
  delivered: z.enum(['true', 'false']).optional().meta({
    description:
      '`false`: deliveries that are not confirmed, also pending ones without an attempt, but no tests: what `recover` sends. `true`: confirmed deliveries.',
  }),
  eventType: z.enum(EVENT_TYPES).optional().meta({ description: 'Only events of this type.' }),
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
};

const query = z.strictObject(deliveriesQuery).refine(...SINCE_BEFORE_UNTIL);

export const filterIn = ({
  outcome,
  delivered,
  eventType,
  since,
  until,
}: z.output<typeof query>): DeliveryFilter => ({
  ...(outcome && { outcome }),
  ...(delivered && { isDelivered: delivered === 'true' }),
  ...(eventType && { eventType }),
  ...(since !== undefined && { since: new Date(since) }),
  ...(until !== undefined && { until: new Date(until) }),
});

export const route = {
  method: 'GET',
  path: '/integrations/{id}/deliveries',
  access: 'member',
  operationId: 'listDeliveries',
  tag: 'Deliveries',
  summary: 'List deliveries',
  description: `The delivery log: every event that was sent to the integration or is pending, and tests, each with its latest attempt; newest event first. Stored for ${IN_WORDS.logRetention}. A page can have fewer members than \`limit\`, or none, and still have \`view.next\`: follow it to the last page.`,
  query,
  answers: [
    {
      status: 200,
      description: 'A page of deliveries.',
      schema: deliveryCollection,
      recorded: { page: 'The first page of more' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

interface Deps {
  readonly listDeliveries: ListDeliveries;
  readonly logger: Logger;
}

export const createHandler = (deps: Deps) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const integration = integrationIn(request);
    const { limit, cursor: after } = request.query;
    const page = { filter: filterIn(request.query), limit, after };
    const { deliveries, next } = await deps.listDeliveries(integration, page);
    return {
      statusCode: 200,
      document: presentCollection({
        path: `${integrationPath(integration.id)}/deliveries`,
        query: request.query,
        members: deliveries.map((delivery) => presentDelivery(delivery)),
        next,
      }),
    };
  });
