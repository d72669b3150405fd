import type { Attempt, OutcomeClass } from '../attempt.ts';
import { bucketOf, type Durations } from './durations.ts';

export const OUTCOMES = ['delivered', 'transient', 'fatal'] as const satisfies OutcomeClass[];

/** An attempt, as far as statistics have it. */
export interface CountedAttempt extends Pick<Attempt, 'integration' | 'startedAt' | 'durationMs'> {
  readonly outcome: OutcomeClass;
}

/** What attempts came to, and how long they took. */
export interface Tally {
  readonly outcomes: Readonly<Record<OutcomeClass, number>>;
  readonly durations: Durations;
}

export const EMPTY_TALLY: Tally = {
  outcomes: { delivered: 0, transient: 0, fatal: 0 },
  durations: new Map(),
};

export const tallyOf = (
  attempts: readonly Pick<CountedAttempt, 'outcome' | 'durationMs'>[],
): Tally =>
  sumOf(
    attempts.map(({ outcome, durationMs }) => ({
      outcomes: { ...EMPTY_TALLY.outcomes, [outcome]: 1 },
      durations: new Map([[bucketOf(durationMs), 1]]),
    })),
  );

export const sumOf = (tallies: readonly Tally[]): Tally => {
  const outcomes = { ...EMPTY_TALLY.outcomes };
  const durations = new Map<number, number>();
  for (const tally of tallies) {
    for (const outcome of OUTCOMES) outcomes[outcome] += tally.outcomes[outcome];
    for (const [bucket, count] of tally.durations) {
      durations.set(bucket, (durations.get(bucket) ?? 0) + count);
    }
  }
  return { outcomes, durations };
};
