import { SegmentedControl } from '@cloudscape-design/components';
import type { UseQueryResult } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import type { AttemptCounts, Statistics } from '../../api/resources.ts';
import { Loaded } from '../../shared/loaded.tsx';
import {
  type Bar,
  barInWords,
  chartOf,
  durationInWords,
  PERIOD_MS,
  periodInWords,
  type Span,
} from './chart.ts';
import { OUTCOME_WORDS } from './outcome.ts';
import { useWebhookSearch } from './use-webhook-search.ts';
import { NO_FILTERS, OUTCOMES } from './webhook-search.ts';

export const WebhookStatistics = ({ query }: { query: UseQueryResult<Statistics> }) => (
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

/** Figures, and a bar for each hour or day. A click on a bar filters the deliveries below. */
const StatisticsChart = ({ statistics }: { statistics: Statistics }) => {
  const [search, change] = useWebhookSearch();
  const span: Span = search.chart ?? 'hours';
  const periods = statistics[span];
  const [pointed, setPointed] = useState<number>();
  const period = pointed === undefined ? undefined : periods[pointed];
  const totals = period ?? (span === 'hours' ? statistics.last24Hours : statistics.last30Days);
  return (
    <section className="statistics" aria-label="Statistics">
      <div className="statistics-head">
        <dl className="figures" aria-live="off">
          {OUTCOMES.map((outcome) => (
            <div key={outcome}>
              <dt>
                <span className={`key key-${outcome}`} aria-hidden="true" />
                {OUTCOME_WORDS[outcome]}
              </dt>
              <dd>{totals[outcome].toLocaleString()}</dd>
            </div>
          ))}
          <div>
            <dt>
              <abbr title="95 % of the answers came within this time">p95</abbr> response time
            </dt>
            <dd>{totals.p95Ms === undefined ? '–' : durationInWords(totals.p95Ms)}</dd>
          </div>
        </dl>
        <SegmentedControl
          label="Time span of the chart"
          options={SPANS}
          selectedId={span}
          onChange={({ detail }) =>
            change({ chart: detail.selectedId === 'days' ? 'days' : undefined })
          }
        />
      </div>
      <Bars
        periods={periods}
        span={span}
        onPoint={setPointed}
        onPick={({ start }) =>
          change({
            ...NO_FILTERS,
            tab: undefined,
            since: start,
            until: new Date(Date.parse(start) + PERIOD_MS[span]).toISOString(),
          })
        }
      />
      <p className="quiet chart-foot">
        {period === undefined
          ? `Attempts of the last ${span === 'hours' ? '24 hours' : '30 days'}. Choose a bar to see its deliveries.`
          : periodInWords(period.start, span)}
      </p>
    </section>
  );
};

interface BarsProps {
  readonly periods: readonly AttemptCounts[];
  readonly span: Span;
  readonly onPoint: (index: number | undefined) => void;
  readonly onPick: (period: AttemptCounts) => void;
}

/** The bars are one tab stop. The arrow keys move between them. */
const Bars = ({ periods, span, onPoint, onPick }: BarsProps) => {
  const { bars, top } = chartOf(periods);
  const [stop, setStop] = useState(bars.length - 1);
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const to = stop + (steps[event.key] ?? 0);
    if (to === stop || to < 0 || to >= bars.length) return;
    event.preventDefault();
    setStop(to);
    const bar = event.currentTarget.children[to];
    if (bar instanceof HTMLElement) bar.focus();
  };
  return (
    <div className="chart">
      <span className="chart-top quiet" aria-hidden="true">
        {top.toLocaleString()}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form. */}
      <div
        className="bars"
        role="group"
        aria-label={`Bars of ${span}, oldest first`}
        onKeyDown={move}
        onMouseLeave={() => onPoint(undefined)}
      >
        {bars.map((bar, index) => (
          <button
            key={bar.period.start}
            type="button"
            className="bar"
            tabIndex={index === stop ? 0 : -1}
            aria-label={barInWords(bar.period, span)}
            onFocus={() => {
              setStop(index);
              onPoint(index);
            }}
            onBlur={() => onPoint(undefined)}
            onMouseEnter={() => onPoint(index)}
            onClick={() => onPick(bar.period)}
          >
            <Stack bar={bar} />
          </button>
        ))}
      </div>
    </div>
  );
};

/** The outcomes of a bar, stacked from the bottom, in percent of the chart's height. */
const Stack = ({ bar: { fatal, transient, delivered } }: { bar: Bar }) => {
  const part = (outcome: string, share: number, below: number) => {
    const place = { y: 100 * (1 - below - share), width: '10', height: 100 * share };
    return <rect className={`bar-${outcome}`} {...place} />;
  };
  return (
    <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
      <rect className="bar-ground" y="99" width="10" height="1" />
      {part('fatal', fatal, 0)}
      {part('transient', transient, fatal)}
      {part('delivered', delivered, fatal + transient)}
    </svg>
  );
};
