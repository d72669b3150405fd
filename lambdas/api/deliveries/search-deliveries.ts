import * as z from 'zod';
import {
  deliveryCollection,
  presentDelivery,
} from '../../../core/delivery/resources/delivery-resource.ts';
import type { SearchDeliveries } from '../../../core/delivery/search/search-deliveries.ts';
import { MAX_SUBJECT_LENGTH } from '../../../core/delivery/search/subject.ts';
import { presentCollection } from '../../../core/json-ld/collection.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint } from '../runtime/api-endpoint.ts';
import { integrationParameter, SINCE_BEFORE_UNTIL } from '../runtime/query-parameters.ts';
import type { Route } from '../runtime/route.ts';
import { deliveriesQuery, filterIn } from './list-deliveries.ts';

export const route = {
  method: 'GET',
  path: '/{account_name}/deliveries',
  access: 'member',
  isCostly: true,
  operationId: 'searchDeliveries',
  tag: 'Deliveries',
  summary: 'Search deliveries',
  description:
    'What became of an event, message, contact or call: its deliveries to all integrations of the account, or to one, each with its latest attempt; newest event first. A page can have fewer members than `limit`, or none, and still have `view.next`: follow it to the last page. An event has no delivery to an integration that was inactive (unless `whileInactive` is `keep`), that was not subscribed to its type, or whose filter kept it back. `filteredEvents` of the integration’s statistics counts the last.',
  query: z
    .strictObject({
      about: z
        .string('must be given')
        .min(1, 'must not be empty')
        .max(MAX_SUBJECT_LENGTH, `must have at most ${MAX_SUBJECT_LENGTH} characters`)
        .meta({
          description:
            'The deliveries of the event with this id, whatever the other parameters but `integration` are. Otherwise those about the message, contact or call with this id: `data.message.id` of `message.…` events, `data.contact.id` of `contact.…` events, `data.phoneCall.id` of `phone_call.…` events. They can be found about a minute after they are logged.',
          example: 'msg_1',
        }),
      integration: integrationParameter.optional().meta({
        description: 'Only deliveries to this integration: its path, or the last segment of it.',
      }),
      ...deliveriesQuery,
    })
    .refine(...SINCE_BEFORE_UNTIL),
  answers: [
    {
      status: 200,
      description: 'A page of deliveries.',
      schema: deliveryCollection,
      recorded: { about: 'Deliveries about a message' },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { searchDeliveries: SearchDeliveries; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async ({ principal: { account }, query }) => {
    const { about, integration, limit, cursor: after } = query;
    const filter = filterIn(query);
    const page = await deps.searchDeliveries({ account, integration, about, filter, limit, after });
    return {
      statusCode: 200,
      document: presentCollection({
        path: `/${account}/deliveries`,
        query,
        members: page.deliveries.map((delivery) => presentDelivery(delivery)),
        next: page.next,
      }),
    };
  });
