import { FormField, SegmentedControl } from '@cloudscape-design/components';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Statistics } from '../../api/resources.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { inDigits } from '../../shared/locale.ts';
import { Bars, Outcomes, p95InWords } from './attempt-bars.tsx';
import { attemptsOf, PERIOD_MS, type Span } from './chart.ts';
import { useWebhookSearch } from './use-webhook-search.ts';
import { NO_FILTERS } from './webhook-search.ts';

/** Nothing for a webhook without an attempt in 30 days, unless its filter kept events back. */
export const WebhookStatistics = ({ query }: { query: UseQueryResult<Statistics> }) =>
  query.data &&
  attemptsOf(query.data.last30Days) + query.data.last30Days.filteredEvents === 0 ? null : (
    <div className="statistics-place">
      <Loaded query={query} what="The statistics">
        {(statistics) => <StatisticsChart statistics={statistics} />}
      </Loaded>
    </div>
  );

const SPANS = [
  { id: 'hours', text: '24 hours' },
  { id: 'days', text: '30 days' },
];

/** Figures of the span, and a bar for each hour or day, whose click filters the deliveries below. */
const StatisticsChart = ({ statistics }: { statistics: Statistics }) => {
  const [search, change] = useWebhookSearch();
  const span: Span = search.chart ?? 'hours';
  const totals = span === 'hours' ? statistics.last24Hours : statistics.last30Days;
  return (
    <section className="statistics" aria-label="Statistics">
      <div className="statistics-head">
        <dl className="figures">
          <Figure name="Events delivered">{inDigits(totals.deliveredEvents)}</Figure>
          {totals.filteredEvents > 0 && (
            <Figure name="Kept back by the filter">{inDigits(totals.filteredEvents)}</Figure>
          )}
          <Figure name="Attempts">{inDigits(attemptsOf(totals))}</Figure>
          <Figure name="p95 response time">{p95InWords(totals)}</Figure>
        </dl>
        <FormField label={<span id="time-span">Time span</span>}>
          <SegmentedControl
            ariaLabelledby="time-span"
            options={SPANS}
            selectedId={span}
            onChange={({ detail }) =>
              change({ chart: detail.selectedId === 'days' ? 'days' : undefined })
            }
          />
        </FormField>
      </div>
      <Outcomes counts={totals} />
      <Bars
        key={span}
        label={`Attempts of the last ${SPANS.find(({ id }) => id === span)?.text}, oldest first`}
        periods={statistics[span]}
        span={span}
        onPick={({ start }) =>
          change({
            ...NO_FILTERS,
            tab: undefined,
            since: start,
            until: new Date(Date.parse(start) + PERIOD_MS[span]).toISOString(),
          })
        }
      />
    </section>
  );
};

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
