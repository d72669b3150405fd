import type { IntegrationKey, IntegrationReader } from '../../integration/integration.ts';
import { buildGetIntegration } from '../../integration/read-integration.ts';
import type { PendingCount, PendingView } from '../pending/pending-view.ts';
import {
  dayOf,
  daysUntil,
  EMPTY_TALLY,
  firstHourOf,
  type Hour,
  hoursUntil,
  startOf,
  sumOf,
  type Tally,
} from './tally.ts';

export interface StatisticsView {
  /**
   * The hours from `first` on with attempts, or events that the filter kept back. May miss attempts of
   * the last minutes.
   */
  hoursSince(of: IntegrationKey, first: Hour): Promise<ReadonlyMap<Hour, Tally>>;
}

export interface Period {
  readonly start: Date;
  readonly tally: Tally;
}

export interface Statistics {
  readonly integration: string;
  /** The last 24, oldest first. */
  readonly hours: readonly Period[];
  /** The last 30, oldest first. */
  readonly days: readonly Period[];
  /** The sums of `hours` and of `days`. */
  readonly last24Hours: Tally;
  readonly last30Days: Tally;
  readonly pending: PendingCount;
  readonly setAside: number;
}

const HOURS = 24;
const DAYS = 30;

/** Pages that show statistics poll: a count reads at most about 1 MB. */
const PENDING_COUNTED_UP_TO = 1_000;

export type GetStatistics = (of: IntegrationKey) => Promise<Statistics>;

export const buildGetStatistics = (ports: {
  integrations: Pick<IntegrationReader, 'find'>;
  statistics: StatisticsView;
  pending: Pick<PendingView, 'count'>;
  now: () => Date;
}): GetStatistics => {
  const getIntegration = buildGetIntegration(ports);
  return async ({ account, id }) => {
    const { setAside = 0 } = await getIntegration(account, id);
    const now = ports.now();
    const days = daysUntil(now, DAYS);
    const [tallies, pending] = await Promise.all([
      ports.statistics.hoursSince({ account, id }, firstHourOf(days[0] ?? '')),
      ports.pending.count({ integration: id, state: 'pending' }, PENDING_COUNTED_UP_TO),
    ]);
    const byDay = Map.groupBy(tallies, ([hour]) => dayOf(hour));
    const hourly = hoursUntil(now, HOURS).map((hour) => ({
      start: startOf(hour),
      tally: tallies.get(hour) ?? EMPTY_TALLY,
    }));
    return {
      integration: id,
      hours: hourly,
      days: days.map((day) => ({
        start: startOf(firstHourOf(day)),
        tally: sumOf((byDay.get(day) ?? []).map(([, tally]) => tally)),
      })),
      last24Hours: sumOf(hourly.map(({ tally }) => tally)),
      last30Days: sumOf([...tallies.values()]),
      pending,
      // A process that died before counting a set-aside event leaves the count too low.
      setAside: Math.max(0, setAside),
    };
  };
};
