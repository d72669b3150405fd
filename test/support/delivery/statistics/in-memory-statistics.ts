import type {
  AttemptCounts,
  IntegrationHour,
  StreamedAttempt,
} from '../../../../core/delivery/statistics/count-attempts.ts';
import type { StatisticsView } from '../../../../core/delivery/statistics/get-statistics.ts';
import {
  EMPTY_TALLY,
  type Hour,
  sumOf,
  type Tally,
  tallyOf,
} from '../../../../core/delivery/statistics/tally.ts';

interface Counted {
  readonly tally: Tally;
  /** By shard, the position of its latest attempt. */
  readonly upTo: ReadonlyMap<string, string>;
}

export class InMemoryStatistics implements AttemptCounts, StatisticsView {
  readonly #hours = new Map<string, Map<Hour, Counted>>();

  async add(
    { integration, hour }: IntegrationHour,
    shard: string,
    attempts: readonly StreamedAttempt[],
  ): Promise<void> {
    const hours = this.#hours.get(integration) ?? new Map<Hour, Counted>();
    this.#hours.set(integration, hours);
    const { tally, upTo } = hours.get(hour) ?? { tally: EMPTY_TALLY, upTo: new Map() };
    const added = attempts.filter(({ position }) => position > (upTo.get(shard) ?? ''));
    const last = added.at(-1);
    if (last === undefined) return;
    hours.set(hour, {
      tally: sumOf([tally, tallyOf(added)]),
      upTo: new Map([...upTo, [shard, last.position]]),
    });
  }

  async hoursSince(integration: string, first: Hour): Promise<ReadonlyMap<Hour, Tally>> {
    const hours = [...(this.#hours.get(integration) ?? [])];
    return new Map(
      hours.filter(([hour]) => hour >= first).map(([hour, { tally }]) => [hour, tally]),
    );
  }
}
