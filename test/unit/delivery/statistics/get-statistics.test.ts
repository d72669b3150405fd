import { describe, expect, it } from 'vitest';
import { buildGetStatistics } from '../../../../core/delivery/statistics/get-statistics.ts';
import { presentStatistics } from '../../../../core/delivery/statistics/statistics-resource.ts';
import { InMemoryStatistics } from '../../../support/delivery/statistics/in-memory-statistics.ts';
import { aStreamedAttempt } from '../../../support/delivery/statistics/streamed-attempts.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const { account, id } = anIntegration();
const NOW = new Date('2026-11-20T12:30:00.000Z');
const NONE = { delivered: 0, transient: 0, fatal: 0, deliveredEvents: 0, filteredEvents: 0 };

/** The statistics of attempts that each began at an hour, as the API shows them. */
const shownAt = async (
  hours: readonly string[],
  {
    pending = { count: 0, isExact: true },
    setAside = undefined as number | undefined,
    filteredAt = [] as readonly string[],
    now = NOW,
  } = {},
) => {
  const statistics = new InMemoryStatistics();
  for (const [position, hour] of hours.entries()) {
    const attempt = aStreamedAttempt({ position: `${position}`, answeredAfterMs: 100 });
    await statistics.add({ integration: id, hour }, 'shardId-1', [attempt]);
  }
  for (const hour of filteredAt) {
    await statistics.addFiltered({ account, hour }, new Map([[id, 1]]));
  }
  const getStatistics = buildGetStatistics({
    integrations: new InMemoryIntegrations(
      anIntegration(setAside === undefined ? {} : { setAside }),
    ),
    statistics,
    pending: { count: async () => pending },
    now: () => now,
  });
  return presentStatistics(await getStatistics({ account, id }));
};

describe('the statistics of an integration', () => {
  it('have the last 24 hours and 30 days, oldest first, with zeros', async () => {
    const { hours, days } = await shownAt([]);

    expect(hours).toHaveLength(24);
    expect([hours[0]?.start, hours.at(-1)?.start]).toEqual([
      '2026-11-19T13:00:00.000Z',
      '2026-11-20T12:00:00.000Z',
    ]);
    expect(days).toHaveLength(30);
    expect([days[0]?.start, days.at(-1)?.start]).toEqual([
      '2026-10-22T00:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
    ]);
    for (const { start: _, ...counts } of [...hours, ...days]) {
      expect(counts).toEqual(NONE);
    }
  });

  it('count an attempt in its hour and in its day', async () => {
    const { hours, days } = await shownAt([
      '2026-11-20T12',
      '2026-11-20T12',
      '2026-11-20T00',
      '2026-11-19T23',
    ]);

    const counted = (periods: typeof hours) =>
      periods
        .filter(({ delivered }) => delivered > 0)
        .map(({ start, delivered }) => [start, delivered]);
    expect(counted(hours)).toEqual([
      ['2026-11-19T23:00:00.000Z', 1],
      ['2026-11-20T00:00:00.000Z', 1],
      ['2026-11-20T12:00:00.000Z', 2],
    ]);
    expect(counted(days)).toEqual([
      ['2026-11-19T00:00:00.000Z', 1],
      ['2026-11-20T00:00:00.000Z', 3],
    ]);
    expect(hours.at(-1)?.p95Ms).toBeGreaterThanOrEqual(100);
    expect(days.at(-1)?.p95Ms).toBeLessThanOrEqual(125);
  });

  it('sum up the hours and the days, with the percentile of all answers', async () => {
    const { last24Hours, last30Days } = await shownAt(['2026-11-20T12', '2026-11-01T12']);

    expect(last24Hours).toEqual({ ...NONE, delivered: 1, p95Ms: 108 });
    expect(last30Days).toEqual({ ...NONE, delivered: 2, p95Ms: 108 });
    expect((await shownAt([])).last24Hours).toEqual(NONE);
  });

  it('count what the filter kept back beside attempts, also in hours without', async () => {
    const filteredAt = ['2026-11-20T12', '2026-11-20T11', '2026-11-01T12'];
    const shown = await shownAt(['2026-11-20T12'], { filteredAt });

    expect(shown.hours.slice(-2)).toMatchObject([
      { delivered: 0, filteredEvents: 1 },
      { delivered: 1, filteredEvents: 1 },
    ]);
    expect(shown.days.at(-1)).toMatchObject({ delivered: 1, filteredEvents: 2 });
    expect(shown.last24Hours).toMatchObject({ delivered: 1, filteredEvents: 2 });
    expect(shown.last30Days).toMatchObject({ delivered: 1, filteredEvents: 3 });
  });

  it('show the first hour of the first day in that day, and none before', async () => {
    const { hours, days } = await shownAt(['2026-10-22T00', '2026-10-21T23', '2026-11-19T12']);

    expect(days.map(({ delivered }) => delivered).slice(0, 2)).toEqual([1, 0]);
    expect(days.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(2);
    expect(hours.every(({ delivered }) => delivered === 0)).toBe(true);
  });

  it('say how much waits, and whether it is more', async () => {
    expect(await shownAt([], { pending: { count: 7, isExact: true } })).not.toHaveProperty(
      'pendingEventsIsMore',
    );
    expect(await shownAt([], { pending: { count: 1_000, isExact: false } })).toMatchObject({
      pendingEvents: 1_000,
      pendingEventsIsMore: true,
    });
  });

  it.each([
    [undefined, 0],
    [3, 3],
    [-1, 0],
  ])('say how much is set aside: of %s, %i', async (setAside, shown) => {
    expect((await shownAt([], { setAside })).setAsideEvents).toBe(shown);
  });
});
