import { type Attempt, OUTCOMES } from '../attempt.ts';

/** Attempts by their outcome, and events when an attempt first delivers them. */
export const COUNTED = [...OUTCOMES, 'deliveredEvents'] as const;

/** Also events that the filter kept back. */
const TALLIED = [...COUNTED, 'filteredEvents'] as const;

/** An attempt, or the first delivery of an event: then `startedAt` is when it was delivered. */
export interface CountedAttempt extends Pick<Attempt, 'integration' | 'startedAt'> {
  readonly counted: (typeof COUNTED)[number];
  /** Undefined without an answer, and for the delivery of an event. */
  readonly answeredAfterMs: number | undefined;
}

export interface Tally {
  readonly counts: Readonly<Record<(typeof TALLIED)[number], number>>;
  /** Of the attempts that were answered. */
  readonly durations: Durations;
}

export const EMPTY_TALLY: Tally = {
  counts: { delivered: 0, transient: 0, fatal: 0, deliveredEvents: 0, filteredEvents: 0 },
  durations: new Map(),
};

export const tallyOf = (
  attempts: readonly Pick<CountedAttempt, 'counted' | 'answeredAfterMs'>[],
): Tally =>
  sumOf(
    attempts.map(({ counted, answeredAfterMs }) => ({
      counts: { ...EMPTY_TALLY.counts, [counted]: 1 },
      durations: new Map(answeredAfterMs === undefined ? [] : [[bucketOf(answeredAfterMs), 1]]),
    })),
  );

export const tallyOfFiltered = (events: number): Tally => ({
  ...EMPTY_TALLY,
  counts: { ...EMPTY_TALLY.counts, filteredEvents: events },
});

export const sumOf = (tallies: readonly Tally[]): Tally => {
  const counts = { ...EMPTY_TALLY.counts };
  const durations = new Map<number, number>();
  for (const tally of tallies) {
    for (const counted of TALLIED) counts[counted] += tally.counts[counted];
    for (const [bucket, count] of tally.durations) {
      durations.set(bucket, (durations.get(bucket) ?? 0) + count);
    }
  }
  return { counts, durations };
};

/**
 * Counts of buckets can be added up over hours. Each bucket ends a quarter above the one before, so
 * a percentile is at most a quarter too high. The longest attempt, 20 s, is in bucket 45.
 */
const GROWTH = 1.25;

export const LAST_BUCKET = 45;

type Durations = ReadonlyMap<number, number>;

/** Bucket 0 has durations up to a millisecond, the last bucket all longer ones. */
export const bucketOf = (durationMs: number): number => {
  const bucket = Math.ceil(Math.log(Math.max(1, durationMs)) / Math.log(GROWTH));
  return Math.min(bucket, LAST_BUCKET);
};

const endOf = (bucket: number): number => Math.round(GROWTH ** bucket);

/** Within how many milliseconds 95 % of the answers came; undefined without answers. */
export const p95Of = (durations: Durations): number | undefined => {
  const total = [...durations.values()].reduce((sum, count) => sum + count, 0);
  let counted = 0;
  for (const [bucket, count] of [...durations].toSorted(([one], [other]) => one - other)) {
    counted += count;
    if (counted >= 0.95 * total) return endOf(bucket);
  }
  return undefined;
};

const HOUR_MS = 3_600_000;

/** An hour of UTC, as text that sorts by time, such as `2026-11-20T12`. */
export type Hour = string;

export const hourOf = (at: Date): Hour => at.toISOString().slice(0, '2026-11-20T12'.length);

export const startOf = (hour: Hour): Date => new Date(`${hour}:00:00.000Z`);

/** The last `count` hours, oldest first; the hour of `now` is the last. */
export const hoursUntil = (now: Date, count: number): readonly Hour[] =>
  Array.from({ length: count }, (_, index) =>
    hourOf(new Date(now.getTime() - (count - 1 - index) * HOUR_MS)),
  );

/** A day of UTC, such as `2026-11-20`: the beginning of its hours. */
type Day = string;

export const dayOf = (hour: Hour): Day => hour.slice(0, '2026-11-20'.length);

/** The last `count` days, oldest first; the day of `now` is the last. */
export const daysUntil = (now: Date, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, index) =>
    dayOf(hourOf(new Date(now.getTime() - (count - 1 - index) * 24 * HOUR_MS))),
  );

export const firstHourOf = (day: Day): Hour => `${day}T00`;
