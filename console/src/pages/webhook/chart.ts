import type { AttemptCounts } from '../../api/resources.ts';

export interface Bar {
  readonly period: AttemptCounts;
  /** Shares of the chart's height, from the ground up. */
  readonly delivered: number;
  readonly transient: number;
  readonly fatal: number;
}

export interface Chart {
  readonly bars: readonly Bar[];
  /** How many attempts the chart's height is. */
  readonly top: number;
}

export const attemptsOf = ({ delivered, transient, fatal }: AttemptCounts): number =>
  delivered + transient + fatal;

export const chartOf = (periods: readonly AttemptCounts[]): Chart => {
  const top = roundedUp(Math.max(0, ...periods.map(attemptsOf)));
  const bars = periods.map((period) => ({
    period,
    delivered: period.delivered / top,
    transient: period.transient / top,
    fatal: period.fatal / top,
  }));
  return { bars, top };
};

/** 1, 2 or 5 times a power of ten. */
const roundedUp = (count: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  const step = [1, 2, 5].find((each) => each * power >= count);
  return (step ?? 10) * power;
};

export interface Totals {
  readonly delivered: number;
  readonly transient: number;
  readonly fatal: number;
  /** Of the latest period that has one. */
  readonly p95Ms?: number | undefined;
}

export const totalsOf = (periods: readonly AttemptCounts[]): Totals => {
  const sum = (of: (period: AttemptCounts) => number) =>
    periods.reduce((total, period) => total + of(period), 0);
  return {
    delivered: sum(({ delivered }) => delivered),
    transient: sum(({ transient }) => transient),
    fatal: sum(({ fatal }) => fatal),
    p95Ms: periods.findLast(({ p95Ms }) => p95Ms !== undefined)?.p95Ms,
  };
};

/** "87 ms", "1.2 s". */
export const durationInWords = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
