/** Attempts of an hour or a day, as `GET …/statistics` tells them. */
export interface Period {
  readonly start: string;
  readonly delivered: number;
  readonly transient: number;
  readonly fatal: number;
  readonly p95Ms?: number | undefined;
}

export interface Bar {
  readonly period: Period;
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

export const attemptsOf = ({ delivered, transient, fatal }: Period): number =>
  delivered + transient + fatal;

export const chartOf = (periods: readonly Period[]): Chart => {
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

export const totalsOf = (periods: readonly Period[]): Totals => {
  const sum = (of: (period: Period) => number) =>
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
