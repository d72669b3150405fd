import type { IntegrationKey } from '../../integration/integration.ts';
import { type Hour, hourOf } from './tally.ts';

export interface AccountHour {
  readonly account: string;
  readonly hour: Hour;
}

export interface FilteredCounts {
  /**
   * Adds numbers of events that filters of the account kept back, by integration, in one write. Takes
   * a bounded time, and may add them twice if an answer is lost.
   */
  addFiltered(of: AccountHour, events: ReadonlyMap<string, number>): Promise<void>;
}

/** Resolves to the faults of accounts, whose events are not counted. */
export type CountFiltered = (
  filtered: readonly IntegrationKey[],
) => Promise<ReadonlyMap<string, unknown>>;

/** Counts the events of a batch. A batch that is received again counts again. */
export const buildCountFiltered =
  ({ counts, now }: { counts: FilteredCounts; now: () => Date }): CountFiltered =>
  async (filtered) => {
    const hour = hourOf(now());
    const faults = new Map<string, unknown>();
    const writing = [...Map.groupBy(filtered, ({ account }) => account)].map(
      async ([account, ofAccount]) => {
        const events = [...Map.groupBy(ofAccount, ({ id }) => id)].map(
          ([id, { length }]) => [id, length] as const,
        );
        try {
          await counts.addFiltered({ account, hour }, new Map(events));
        } catch (fault) {
          faults.set(account, fault);
        }
      },
    );
    await Promise.all(writing);
    return faults;
  };
