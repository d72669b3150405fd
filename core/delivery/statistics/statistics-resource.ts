import * as z from 'zod';
import { integrationPath } from '../../integration/integration-resource.ts';
import { instants, links, lists, renamed, type Terms, terms } from '../../json-ld/vocabulary.ts';
import type { Period, Statistics } from './get-statistics.ts';
import { p95Of, type Tally } from './tally.ts';

const count = z.int().min(0);

const countsResource = z
  .strictObject({
    delivered: count.meta({ description: 'Attempts that the endpoint confirmed.' }),
    transient: count.meta({ description: 'Attempts answered with 504, or not at all.' }),
    fatal: count.meta({ description: 'Attempts with any other answer, or to a refused address.' }),
    deliveredEvents: count.meta({
      description: 'Events that were delivered: each once, however often the endpoint confirms it.',
    }),
    filteredEvents: count.meta({
      description:
        'About how many events the filter kept back: after a fault of the service, events may be missing, or counted twice.',
    }),
    p95Ms: z.int().min(1).optional().meta({
      description:
        'The 95th percentile of the response times, in milliseconds; at most a quarter too high. Absent without answers.',
    }),
  })
  .meta({
    id: 'StatisticsCounts',
    description: 'The outcomes of attempts, and the events delivered or kept back.',
  });

const periodResource = countsResource
  .extend({
    start: z.iso.datetime().meta({ description: 'When the hour or the day began, in UTC.' }),
  })
  .meta({
    id: 'StatisticsPeriod',
    description:
      'The outcomes of the attempts of an hour or a day, and the events delivered or kept back.',
  });

export const statisticsResource = z
  .strictObject({
    '@context': z.literal('/contexts/Statistics.jsonld'),
    '@type': z.literal('Statistics'),
    id: z.string().meta({ description: 'Path of the statistics.' }),
    webHook: z.string().meta({ description: 'Path of the integration.' }),
    hours: z.array(periodResource).meta({
      description: 'The last 24 hours, with the current one; oldest first.',
    }),
    days: z
      .array(periodResource)
      .meta({ description: 'The last 30 days (UTC), with today; oldest first.' }),
    last24Hours: countsResource,
    last30Days: countsResource,
    pendingEvents: count.meta({ description: 'The number of pending events.' }),
    pendingEventsIsMore: z.boolean().optional().meta({
      description:
        'True if there are more pending events than `pendingEvents`, because no more are counted: up to 1,000, fewer if they are large. Absent if the number is exact.',
    }),
    setAsideEvents: count.meta({ description: 'The number of events that are set aside.' }),
  })
  .meta({
    id: 'Statistics',
    description:
      'The outcomes of an integration’s attempts. `last24Hours` and `last30Days` are the sums of `hours` and `days`.',
  });

export type StatisticsResource = z.output<typeof statisticsResource>;

export const statisticsTerms: Terms = {
  ...terms('Statistics', 'delivered', 'transient', 'fatal', 'deliveredEvents', 'filteredEvents'),
  ...terms('p95Ms'),
  ...terms('last24Hours', 'last30Days', 'pendingEvents', 'pendingEventsIsMore', 'setAsideEvents'),
  ...lists('hours', 'days'),
  ...renamed(links('integration'), { webHook: 'integration' }),
  ...instants('start'),
};

export const presentStatistics = (statistics: Statistics): StatisticsResource => {
  const { integration, hours, days, last24Hours, last30Days, pending, setAside } = statistics;
  const webHook = integrationPath(integration);
  return {
    '@context': '/contexts/Statistics.jsonld',
    '@type': 'Statistics',
    id: `${webHook}/statistics`,
    webHook,
    hours: hours.map(presentPeriod),
    days: days.map(presentPeriod),
    last24Hours: presentCounts(last24Hours),
    last30Days: presentCounts(last30Days),
    pendingEvents: pending.count,
    ...(!pending.isExact && { pendingEventsIsMore: true }),
    setAsideEvents: setAside,
  };
};

const presentPeriod = ({ start, tally }: Period): z.output<typeof periodResource> => ({
  start: start.toISOString(),
  ...presentCounts(tally),
});

const presentCounts = ({ counts, durations }: Tally): z.output<typeof countsResource> => {
  const p95Ms = p95Of(durations);
  return { ...counts, ...(p95Ms !== undefined && { p95Ms }) };
};
