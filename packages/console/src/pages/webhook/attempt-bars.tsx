import { type CSSProperties, type KeyboardEvent, useState } from 'react';
import type { AttemptCounts } from '../../api/resources.ts';
import { inDigits, LOCALE } from '../../shared/locale.ts';
import { OUTCOME_WORDS } from '../../shared/outcome.ts';
import {
  barInWords,
  chartOf,
  durationInWords,
  periodInWords,
  type Span,
  tickInWords,
} from './chart.ts';
import { OUTCOMES } from './webhook-search.ts';

type Counts = Omit<AttemptCounts, 'start'>;

export const p95InWords = ({ p95Ms }: Counts): string =>
  p95Ms === undefined ? '–' : durationInWords(p95Ms);

/** The key of the chart, with values. */
export const Outcomes = ({ counts }: { counts: Counts }) => (
  <ul className="outcomes" aria-label="Attempts by outcome">
    {OUTCOMES.map((outcome) => (
      <li key={outcome}>
        <span className={`key key-${outcome}`} aria-hidden="true" />
        {OUTCOME_WORDS[outcome]} <b>{inDigits(counts[outcome])}</b>
      </li>
    ))}
  </ul>
);

interface BarsProps {
  readonly label: string;
  readonly periods: readonly AttemptCounts[];
  readonly span: Span;
  readonly onPick: (period: AttemptCounts) => void;
}

const Lines = ({ ticks, top }: Pick<ReturnType<typeof chartOf>, 'ticks' | 'top'>) =>
  ticks.map((tick) => (
    <div
      key={tick}
      className="chart-line"
      style={{ bottom: `${(100 * tick) / top}%` }}
      aria-hidden="true"
    >
      <span>{COMPACT.format(tick)}</span>
    </div>
  ));

const Times = ({ periods, span }: Pick<BarsProps, 'periods' | 'span'>) =>
  periods.map(({ start }, index) => (
    <span
      key={start}
      className="chart-time"
      style={{ left: `${(100 * (index + 0.5)) / periods.length}%` }}
      aria-hidden="true"
    >
      {tickInWords(start, span, index)}
    </span>
  ));

const Shares = ({ bar }: { bar: ReturnType<typeof chartOf>['bars'][number] }) =>
  OUTCOMES.map((outcome) => (
    <span key={outcome} className={`key-${outcome}`} style={{ height: `${100 * bar[outcome]}%` }} />
  ));

/** The bars are one tab stop. The arrow keys move between them. */
export const Bars = ({ label, periods, span, onPick }: BarsProps) => {
  const { bars, top, ticks } = chartOf(periods);
  const [stop, setStop] = useState(bars.length - 1);
  const [pointed, setPointed] = useState<number>();
  const shown = pointed === undefined ? undefined : periods[pointed];
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
      <Lines ticks={ticks} top={top} />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form. */}
      <div
        className="bars"
        role="group"
        aria-label={label}
        onKeyDown={move}
        onMouseLeave={() => setPointed(undefined)}
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
              setPointed(index);
            }}
            onBlur={() => setPointed(undefined)}
            onMouseEnter={() => setPointed(index)}
            onClick={() => onPick(bar.period)}
          >
            <Shares bar={bar} />
          </button>
        ))}
      </div>
      <Times periods={periods} span={span} />
      {shown && <Tip period={shown} span={span} place={placeBeside(pointed ?? 0, bars.length)} />}
    </div>
  );
};

const COMPACT = new Intl.NumberFormat(LOCALE, { notation: 'compact' });

/** On the side of a bar where there is more room. */
const placeBeside = (index: number, bars: number): CSSProperties =>
  index < bars / 2
    ? { left: `${(100 * (index + 1)) / bars}%` }
    : { right: `${100 * (1 - index / bars)}%` };

interface TipProps {
  readonly period: AttemptCounts;
  readonly span: Span;
  readonly place: CSSProperties;
}

/** The values of the bar that the mouse or the keyboard points to. */
const Tip = ({ period, span, place }: TipProps) => (
  <div className="chart-tip" style={place} aria-hidden="true">
    <strong>{periodInWords(period.start, span)}</strong>
    <Outcomes counts={period} />
    <span>Events delivered {inDigits(period.deliveredEvents)}</span>
    {period.filteredEvents > 0 && (
      <span>Kept back by the filter {inDigits(period.filteredEvents)}</span>
    )}
    <span>p95 response time {p95InWords(period)}</span>
  </div>
);
