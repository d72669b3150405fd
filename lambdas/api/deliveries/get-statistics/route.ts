import { statisticsResource } from '../../../../core/delivery/statistics/statistics-resource.ts';
import type { Route } from '../../runtime/route.ts';
import { statisticsOfADay } from '../statistics-examples.ts';

export const route = {
  method: 'GET',
  path: '/integrations/{id}/statistics',
  access: 'member',
  servedBy: 'read-api',
  operationId: 'getStatistics',
  tag: 'Deliveries',
  summary: 'Read what the attempts of an integration came to',
  description:
    'How many attempts were delivered, transient and fatal, and how long they took: for each of the last 24 hours, and for each of the last 30 days of UTC. Every attempt of an event counts, in the hour in which it began; a test does not. An attempt is counted a minute or two after it was made. Hours and days without attempts have zeros.',
  answers: [
    {
      status: 200,
      description: 'The statistics.',
      schema: statisticsResource,
      examples: {
        counted: {
          summary: 'An integration whose first event came today',
          value: statisticsOfADay,
        },
      },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;
