import { type CountedAttempt, type Hour, hourOf } from './tally.ts';

/** An attempt as the stream of the delivery log's changes tells of it. */
export interface StreamedAttempt extends CountedAttempt {
  /** Where in its shard: later attempts of a shard sort after earlier ones, as text. */
  readonly position: string;
}

/** An hour of an integration. */
export interface IntegrationHour {
  readonly integration: string;
  readonly hour: Hour;
}

/** A change that is none of the delivery log's. Its text is the reason. */
export class UnreadableChange extends Error {
  override readonly name = 'UnreadableChange';
}

export interface AttemptCounts {
  /**
   * Adds attempts of one shard to an hour, in one write, but for those that the hour has counted
   * before: those up to the position of the shard's latest attempt in the hour. A shard's attempts
   * come in order, at least once.
   */
  add(of: IntegrationHour, shard: string, attempts: readonly StreamedAttempt[]): Promise<void>;
}

/** Attempts that were not counted, and why. They are to come again. */
interface Uncounted {
  readonly fault: unknown;
  /** Of the first of them. */
  readonly position: string;
}

/** Resolves to what was not counted: a fault of one hour keeps no other hour from being counted. */
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
