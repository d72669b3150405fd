import * as z from 'zod';
import { STORED_STATES } from '../../../core/delivery/pending/pending-events.ts';
import type { PendingCount } from '../../../core/delivery/pending/pending-view.ts';
import type { ListPendingEvents } from '../../../core/delivery/reading/read-deliveries.ts';
import {
  deliveryCollection,
  presentDelivery,
} from '../../../core/delivery/resources/delivery-resource.ts';
import { integrationPath } from '../../../core/integration/integration-resource.ts';
import { presentCollection } from '../../../core/json-ld/collection.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import { cursorParameter, limitParameter } from '../runtime/query-parameters.ts';
import type { Route } from '../runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/integrations/{id}/pending-events',
  access: 'member',
  operationId: 'listPendingEvents',
  tag: 'Deliveries',
  summary: 'List pending events, or those set aside',
  description:
    'Deliveries that are stored until the integration can take them, oldest first: they are sent when it recovers, is changed or activated, or after a delay if it is `active`. With `state=set-aside`, those that the endpoint did not confirm while it confirmed others: they are sent only when you resend or recover them. Neither expires. A page that shows all has their number, `totalItems`; with `count=true` the first page of several has it, or `totalItemsAtLeast` if there are more than are counted (1,000, fewer if they are large).',
  query: z.strictObject({
    state: z.enum(STORED_STATES).optional().meta({
      description: '`pending` (the default) or `set-aside`.',
    }),
    count: z.enum(['true']).optional().meta({
      description: '`true`: the first page has the number of all.',
    }),
    limit: limitParameter,
    cursor: cursorParameter,
  }),
  answers: [
    {
      status: 200,
      description: 'A page of deliveries, each with `isPending` true, or with `isSetAside` true.',
      schema: deliveryCollection,
      recorded: {
        some: 'The first page of many',
        setAside: 'Events set aside, with `state=set-aside`',
        none: 'No pending events',
      },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { listPendingEvents: ListPendingEvents; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => {
    const integration = integrationIn(request);
    const { state, count, limit, cursor } = request.query;
    const page = await deps.listPendingEvents(integration, {
      state: state ?? 'pending',
      limit,
      after: cursor,
      isCounted: count !== undefined,
    });
    const shown = state === 'set-aside' ? { isSetAside: true } : { isPending: true };
    return {
      statusCode: 200,
      document: presentCollection({
        path: `${integrationPath(integration.id)}/pending-events`,
        query: { state, limit, cursor },
        members: page.deliveries.map((delivery) => presentDelivery(delivery, shown)),
        next: page.next,
        ...(page.total && totalOf(page.total)),
      }),
    };
  });

const totalOf = ({ count, isExact }: PendingCount) =>
  isExact ? { totalItems: count } : { totalItemsAtLeast: count };
