import * as z from 'zod';
import { deliveryCollection } from '../../core/delivery/shown/list-deliveries.ts';
import { pendingDelivery } from '../_openapi/examples/delivery-examples.ts';
import { cursorParameter, limitParameter } from '../_runtime/query-parameters.ts';
import type { Route } from '../_runtime/route.ts';

export const route = {
  method: 'GET',
  path: '/integrations/{id}/pending-events',
  access: 'member',
  operationId: 'listPendingEvents',
  tag: 'Deliveries',
  summary: 'List what waits for an integration',
  description:
    'Deliveries that are stored until the integration can take them, oldest first: they are sent again once it recovers, is changed, or is switched on. They do not expire. The first page says how many there are in all: `totalItems`, or `totalItemsAtLeast` where there are more than are counted (10,000, fewer when they are large).',
  query: z.strictObject({ limit: limitParameter, cursor: cursorParameter }),
  answers: [
    {
      status: 200,
      description: 'A page of deliveries, each with `isPending` true.',
      schema: deliveryCollection,
      examples: {
        some: {
          summary: 'The first page of many',
          value: {
            '@context': '/contexts/Collection.jsonld',
            '@type': 'Collection',
            id: '/integrations/8Fq2LmZ0aBcD/pending-events',
            totalItems: 412,
            member: [pendingDelivery],
            view: {
              '@type': 'PartialCollectionView',
              id: '/integrations/8Fq2LmZ0aBcD/pending-events?limit=1',
              next: '/integrations/8Fq2LmZ0aBcD/pending-events?limit=1&cursor=MjAyNi0xMS0yMFQxMzowMDowMS4yNTBaI2V2dF8wMUpEOVI',
            },
          },
        },
        none: {
          summary: 'Nothing waits',
          value: {
            '@context': '/contexts/Collection.jsonld',
            '@type': 'Collection',
            id: '/integrations/8Fq2LmZ0aBcD/pending-events',
            totalItems: 0,
            member: [],
            view: {
              '@type': 'PartialCollectionView',
              id: '/integrations/8Fq2LmZ0aBcD/pending-events?limit=20',
            },
          },
        },
      },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;
