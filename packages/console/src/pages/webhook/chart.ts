import type { AttemptCounts } from '../../api/resources.ts';

export type Span = 'hours' | 'days';

type Outcomes = Pick<AttemptCounts, 'delivered' | 'transient' | 'fatal'>;

/** The period of a bar, and the shares of the chart's height. */
export type Bar = Outcomes & { readonly period: AttemptCounts };

const attemptsOf = ({ delivered, transient, fatal }: Outcomes): number =>
  delivered + transient + fatal;

/** `top` is the number of attempts that the chart's height stands for. */
export const chartOf = (periods: readonly AttemptCounts[]) => {
  const top = roundedUp(Math.max(0, ...periods.map(attemptsOf)));
  const bars = periods.map(
    (period): Bar => ({
      period,
      delivered: period.delivered / top,
      transient: period.transient / top,
      fatal: period.fatal / top,
    }),
  );
  return { bars, top };
};

/** 1, 2 or 5 times a power of ten. */
const roundedUp = (count: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  const step = [1, 2, 5].find((each) => each * power >= count);
  return (step ?? 10) * power;
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
  if (span === 'days') return `${new Intl.DateTimeFormat(undefined, DAY).format(from)} (UTC)`;
  const until = new Date(from.getTime() + PERIOD_MS.hours);
  return new Intl.DateTimeFormat(undefined, HOUR).formatRange(from, until);
};

/** A time span, which may be open at one end. */
export const spanInWords = (since: string | undefined, until: string | undefined): string => {
  const format = new Intl.DateTimeFormat(undefined, HOUR);
  if (since !== undefined && until !== undefined) {
    return format.formatRange(new Date(since), new Date(until));
  }
  if (since !== undefined) return `Since ${format.format(new Date(since))}`;
  return until === undefined ? 'Any time' : `Before ${format.format(new Date(until))}`;
};

/** A bar for screen readers. */
export const barInWords = (period: AttemptCounts, span: Span): string => {
  const when = periodInWords(period.start, span);
  if (attemptsOf(period) === 0) return `${when}: no attempts`;
  const parts = [
    `${period.delivered} delivered`,
    ...(period.transient > 0 ? [`${period.transient} without an answer`] : []),
    ...(period.fatal > 0 ? [`${period.fatal} failed`] : []),
  ];
  return `${when}: ${parts.join(', ')}`;
};
