import type { AttemptCounts } from '../../api/resources.ts';
import { LOCALE } from '../../shared/locale.ts';

export type Span = 'hours' | 'days';

type Outcomes = Pick<AttemptCounts, 'delivered' | 'transient' | 'fatal'>;

/** The period of a bar, and the shares of the chart's height. */
type Bar = Outcomes & { readonly period: AttemptCounts };

export const attemptsOf = ({ delivered, transient, fatal }: Outcomes): number =>
  delivered + transient + fatal;

/** A count other than 0 is visible, however small it is beside the others. */
const LEAST_SHARE = 0.015;

/** `ticks` are the labels of the value axis: 0, the middle, and the chart's height. */
export const chartOf = (periods: readonly AttemptCounts[]) => {
  const top = roundedUp(Math.max(0, ...periods.map(attemptsOf)));
  const share = (count: number): number => (count === 0 ? 0 : Math.max(count / top, LEAST_SHARE));
  const bars = periods.map(
    (period): Bar => ({
      period,
      delivered: share(period.delivered),
      transient: share(period.transient),
      fatal: share(period.fatal),
    }),
  );
  return { bars, top, ticks: [0, top / 2, top].filter(Number.isInteger) };
};

/** A number of one digit times a power of ten, even so that its half is a whole number. */
const roundedUp = (count: number): number => {
  if (count <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(count));
  const step = [1, 2, 4, 6, 8].find((each) => each * power >= count) ?? 10;
  return step * power;
};

/** "87 ms", "1.2 s". */
export const durationInWords = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;

const HOUR_MS = 3_600_000;

/** The duration of a bar. */
export const PERIOD_MS: Readonly<Record<Span, number>> = { hours: HOUR_MS, days: 24 * HOUR_MS };

const HOUR = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const;
const DAY = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const;

/** "Nov 22, 10 – 11 AM" in the local time zone, or "Sun, Nov 22 (UTC)": days are days of UTC. */
export const periodInWords = (start: string, span: Span): string => {
  const from = new Date(start);
  if (span === 'days') return `${new Intl.DateTimeFormat(LOCALE, DAY).format(from)} (UTC)`;
  const until = new Date(from.getTime() + PERIOD_MS.hours);
  return new Intl.DateTimeFormat(LOCALE, HOUR).formatRange(from, until);
};

/** The label of a bar on the time axis. Few bars have one, so that they fit a phone. */
export const tickInWords = (start: string, span: Span, index: number): string | undefined => {
  const from = new Date(start);
  if (span === 'days') return index % 7 === 1 ? dateInWords(from, 'UTC') : undefined;
  if (from.getHours() % 6 !== 0) return undefined;
  if (from.getHours() === 0) return dateInWords(from);
  return from.toLocaleTimeString(LOCALE, { hour: 'numeric', minute: '2-digit' });
};

const dateInWords = (at: Date, timeZone?: string): string =>
  at.toLocaleDateString(LOCALE, { day: 'numeric', month: 'short', timeZone });

/** A time span, which may be open at one end. */
export const spanInWords = (since: string | undefined, until: string | undefined): string => {
  const format = new Intl.DateTimeFormat(LOCALE, HOUR);
  if (since !== undefined && until !== undefined) {
    return format.formatRange(new Date(since), new Date(until));
  }
  if (since !== undefined) return `Since ${format.format(new Date(since))}`;
  return until === undefined ? 'Any time' : `Before ${format.format(new Date(until))}`;
};

/** A bar for screen readers. */
export const barInWords = (period: AttemptCounts, span: Span): string => {
  const when = periodInWords(period.start, span);
  const parts = [
    attemptsOf(period) === 0 ? 'no attempts' : `${period.delivered} delivered`,
    ...(period.transient > 0 ? [`${period.transient} with a temporary error`] : []),
    ...(period.fatal > 0 ? [`${period.fatal} failed`] : []),
    ...(period.p95Ms === undefined ? [] : [`p95 response time ${durationInWords(period.p95Ms)}`]),
    ...(period.filteredEvents > 0 ? [`${period.filteredEvents} kept back by the filter`] : []),
  ];
  return `${when}: ${parts.join(', ')}`;
};
