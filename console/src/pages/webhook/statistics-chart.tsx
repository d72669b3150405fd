import SegmentedControl from '@cloudscape-design/components/segmented-control';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { AttemptCounts, Statistics } from '../../api/resources.ts';
import { attemptsOf, type Bar, chartOf, durationInWords, totalsOf } from './chart.ts';
import { periodInWords } from './period-words.ts';

export type Span = 'hours' | 'days';

const SPANS = [
  { id: 'hours', text: '24 hours' },
  { id: 'days', text: '30 days' },
];

/**
 * Attempts of the last hours or days: figures, and a bar for each hour or day. A bar shows its
 * deliveries in the list below.
 */
export const StatisticsChart = ({
  statistics,
  span,
  onSpan,
  onPick,
}: {
  statistics: Statistics;
  span: Span;
  onSpan: (span: Span) => void;
  onPick: (period: AttemptCounts, span: Span) => void;
}): ReactNode => {
  const periods = statistics[span];
  const [pointed, setPointed] = useState<number>();
  const { bars, top } = chartOf(periods);
  const period = pointed === undefined ? undefined : periods[pointed];
  const totals = period ?? totalsOf(periods);
  return (
    <section className="statistics" aria-label="Statistics">
      <div className="statistics-head">
        <dl className="figures" aria-live="off">
          <Figure name="Delivered" sign="delivered" value={totals.delivered} />
          <Figure name="No answer" sign="transient" value={totals.transient} />
          <Figure name="Failed" sign="fatal" value={totals.fatal} />
          <div>
            <dt>95 % answered within</dt>
            <dd>{totals.p95Ms === undefined ? '–' : durationInWords(totals.p95Ms)}</dd>
          </div>
        </dl>
        <SegmentedControl
          label="Time span of the chart"
          options={SPANS}
          selectedId={span}
          onChange={({ detail }) => onSpan(detail.selectedId as Span)}
        />
      </div>
      <Bars
        bars={bars}
        top={top}
        span={span}
        onPoint={setPointed}
        onPick={(picked) => onPick(picked, span)}
      />
      <p className="quiet chart-foot">
        {period === undefined
          ? `Attempts of the last ${span === 'hours' ? '24 hours' : '30 days'}. Choose a bar to see its deliveries.`
          : periodInWords(period.start, span)}
      </p>
    </section>
  );
};

const Figure = ({
  name,
  sign,
  value,
}: {
  name: string;
  sign: string;
  value: number;
}): ReactNode => (
  <div>
    <dt>
      <span className={`key key-${sign}`} aria-hidden="true" />
      {name}
    </dt>
    <dd>{value.toLocaleString()}</dd>
  </div>
);

/** One stop of the tab key: arrows lead from bar to bar. */
const Bars = ({
  bars,
  top,
  span,
  onPoint,
  onPick,
}: {
  bars: readonly Bar[];
  top: number;
  span: Span;
  onPoint: (index: number | undefined) => void;
  onPick: (period: AttemptCounts) => void;
}): ReactNode => {
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
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is of a form. */}
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

const Stack = ({ bar }: { bar: Bar }): ReactNode => {
  const ground = 100;
  const fatal = ground * bar.fatal;
  const transient = ground * bar.transient;
  const delivered = ground * bar.delivered;
  return (
    <svg viewBox={`0 0 10 ${ground}`} preserveAspectRatio="none" aria-hidden="true">
      <rect className="bar-ground" y={ground - 1} width="10" height="1" />
      <rect className="bar-fatal" y={ground - fatal} width="10" height={fatal} />
      <rect
        className="bar-transient"
        y={ground - fatal - transient}
        width="10"
        height={transient}
      />
      <rect
        className="bar-delivered"
        y={ground - fatal - transient - delivered}
        width="10"
        height={delivered}
      />
    </svg>
  );
};

const barInWords = (period: AttemptCounts, span: Span): string => {
  const when = periodInWords(period.start, span);
  if (attemptsOf(period) === 0) return `${when}: no attempts`;
  const parts = [
    `${period.delivered} delivered`,
    ...(period.transient > 0 ? [`${period.transient} without an answer`] : []),
    ...(period.fatal > 0 ? [`${period.fatal} failed`] : []),
  ];
  return `${when}: ${parts.join(', ')}`;
};
