import type { GetStatistics } from '../../../core/delivery/statistics/get-statistics.ts';
import {
  presentStatistics,
  type StatisticsResource,
  statisticsResource,
} from '../../../core/delivery/statistics/statistics-resource.ts';
import type { Logger } from '../../runtime/reporting.ts';
import { apiEndpoint, integrationIn } from '../runtime/api-endpoint.ts';
import type { Route } from '../runtime/route.ts';

type Period = StatisticsResource['hours'][number];

const HOUR_MS = 3_600_000;

/** `count` periods, of which only the last has attempts. */
const periodsUntil = (last: Period, count: number, lengthMs: number): Period[] => [
  ...Array.from({ length: count - 1 }, (_, index) => ({
    start: new Date(Date.parse(last.start) - (count - 1 - index) * lengthMs).toISOString(),
    delivered: 0,
    transient: 0,
    fatal: 0,
    deliveredEvents: 0,
  })),
  last,
];

const counts = { delivered: 1204, transient: 12, fatal: 1, deliveredEvents: 1203, p95Ms: 142 };

const thisHour: Period = { start: '2026-11-20T12:00:00.000Z', ...counts };

const statisticsOfADay: StatisticsResource = {
  '@context': '/contexts/Statistics.jsonld',
  '@type': 'Statistics',
  id: '/integrations/8Fq2LmZ0aBcD/statistics',
  webHook: '/integrations/8Fq2LmZ0aBcD',
  hours: periodsUntil(thisHour, 24, HOUR_MS),
  days: periodsUntil({ ...thisHour, start: '2026-11-20T00:00:00.000Z' }, 30, 24 * HOUR_MS),
  last24Hours: counts,
  last30Days: counts,
  pendingEvents: 0,
  setAsideEvents: 0,
};

export const route = {
  method: 'GET',
  path: '/integrations/{id}/statistics',
  access: 'member',
  operationId: 'getStatistics',
  tag: 'Deliveries',
  summary: 'Get statistics',
  description:
    'How many attempts were delivered, transient and fatal, how long they took, and how many events were delivered, for each of the last 24 hours and of the last 30 days (UTC). An attempt counts in the hour in which it begins, a minute or two later. Tests do not count. Hours and days without attempts have zeros.',
  answers: [
    {
      status: 200,
      description: 'The statistics.',
      schema: statisticsResource,
      examples: {
        counted: {
          summary: 'An integration whose first event happened today',
          value: statisticsOfADay,
        },
      },
    },
  ],
  refusals: ['not-found'],
} as const satisfies Route;

export const createHandler = (deps: { getStatistics: GetStatistics; logger: Logger }) =>
  apiEndpoint(route, deps.logger, async (request) => ({
    statusCode: 200,
    document: presentStatistics(await deps.getStatistics(integrationIn(request))),
  }));
