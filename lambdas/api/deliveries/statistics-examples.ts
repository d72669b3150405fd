import type { StatisticsResource } from '../../../core/delivery/statistics/statistics-resource.ts';

type Period = StatisticsResource['hours'][number];

const NOTHING = { delivered: 0, transient: 0, fatal: 0 };

const HOUR_MS = 3_600_000;

/** So many periods up to the one that began at `last`, without attempts but for `last`. */
const periodsUntil = (last: Period, count: number, lengthMs: number): Period[] => [
  ...Array.from({ length: count - 1 }, (_, index) => ({
    start: new Date(Date.parse(last.start) - (count - 1 - index) * lengthMs).toISOString(),
    ...NOTHING,
  })),
  last,
];

const thisHour: Period = {
  start: '2026-11-20T12:00:00.000Z',
  delivered: 1204,
  transient: 12,
  fatal: 1,
  p95Ms: 142,
};

export const statisticsOfADay: StatisticsResource = {
  '@context': '/contexts/Statistics.jsonld',
  '@type': 'Statistics',
  id: '/integrations/8Fq2LmZ0aBcD/statistics',
  webHook: '/integrations/8Fq2LmZ0aBcD',
  hours: periodsUntil(thisHour, 24, HOUR_MS),
  days: periodsUntil({ ...thisHour, start: '2026-11-20T00:00:00.000Z' }, 30, 24 * HOUR_MS),
  pendingEvents: 0,
  setAsideEvents: 0,
};
