import type { UseQueryResult } from '@tanstack/react-query';
import type { AttemptCounts, Statistics } from '../../api/resources.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { PERIOD_MS } from './period-words.ts';
import { type Span, StatisticsChart } from './statistics-chart.tsx';
import { useWebhookSearch } from './use-webhook-search.ts';
import { NO_FILTERS } from './webhook-search.ts';

/** The chart, whose bars choose the time of the deliveries below. */
export const WebhookStatistics = ({ query }: { query: UseQueryResult<Statistics> }) => {
  const [search, change] = useWebhookSearch();
  const pick = ({ start }: AttemptCounts, span: Span): void =>
    change({
      ...NO_FILTERS,
      tab: undefined,
      since: start,
      until: new Date(Date.parse(start) + PERIOD_MS[span]).toISOString(),
    });
  return (
    <div className="statistics-place">
      <Loaded query={query} what="The statistics">
        {(statistics) => (
          <StatisticsChart
            statistics={statistics}
            span={search.chart ?? 'hours'}
            onSpan={(span) => change({ chart: span === 'days' ? 'days' : undefined })}
            onPick={pick}
          />
        )}
      </Loaded>
    </div>
  );
};
