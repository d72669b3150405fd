import type { Trigger } from '../attempt.ts';
import { type CountedAttempt, type Hour, hourOf } from './tally.ts';

export interface StreamedAttempt extends CountedAttempt {
  /** The position in its shard: text that grows with each attempt. */
  readonly position: string;
  /** Of an attempt. */
  readonly trigger?: Trigger;
}

export interface IntegrationHour {
  readonly integration: string;
  readonly hour: Hour;
}

export interface AttemptCounts {
  /**
   * Adds attempts of one shard to an hour, in one write, except those up to the position of the
   * shard's latest there. A shard's attempts arrive in order, at least once.
   */
  add(of: IntegrationHour, shard: string, attempts: readonly StreamedAttempt[]): Promise<void>;
}

interface Uncounted {
  readonly fault: unknown;
  /** Of the first of them. */
  readonly position: string;
}

/** Resolves to the attempts not counted: a fault of one hour leaves the other hours alone. */
export type CountAttempts = (
  shard: string,
  attempts: readonly StreamedAttempt[],
) => Promise<readonly Uncounted[]>;

export const buildCountAttempts =
  ({ counts }: { counts: AttemptCounts }): CountAttempts =>
  async (shard, attempts) => {
    const groups = Map.groupBy(attempts, nameOf);
    const uncounted = await Promise.all(
      [...groups.values()].map(async (group) => {
        const [first] = group;
        if (first === undefined) return [];
        const of = { integration: first.integration, hour: hourOf(first.startedAt) };
        try {
          await counts.add(of, shard, group);
          return [];
        } catch (fault) {
          return [{ fault, position: first.position }];
        }
      }),
    );
    return uncounted.flat();
  };

const nameOf = ({ integration, startedAt }: StreamedAttempt): string =>
  `${integration} ${hourOf(startedAt)}`;
