import type {
  AttemptCounts,
  IntegrationHour,
  StreamedAttempt,
} from '../../../../core/delivery/statistics/count-attempts.ts';
import type {
  AccountHour,
  FilteredCounts,
} from '../../../../core/delivery/statistics/count-filtered.ts';
import type { StatisticsView } from '../../../../core/delivery/statistics/get-statistics.ts';
import {
  EMPTY_TALLY,
  type Hour,
  sumOf,
  type Tally,
  tallyOf,
  tallyOfFiltered,
} from '../../../../core/delivery/statistics/tally.ts';
import type { IntegrationKey } from '../../../../core/integration/integration.ts';

interface Counted {
  readonly tally: Tally;
  /** By shard, the position of its latest attempt. */
  readonly upTo: ReadonlyMap<string, string>;
}

export class InMemoryStatistics implements AttemptCounts, FilteredCounts, StatisticsView {
  readonly #hours = new Map<string, Map<Hour, Counted>>();
  readonly #filtered: (AccountHour & { integration: string; events: number })[] = [];

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

  async addFiltered(of: AccountHour, counts: ReadonlyMap<string, number>): Promise<void> {
    for (const [integration, events] of counts) this.#filtered.push({ ...of, integration, events });
  }

  async hoursSince(
    { account, id }: IntegrationKey,
    first: Hour,
  ): Promise<ReadonlyMap<Hour, Tally>> {
    const attempted = [...(this.#hours.get(id) ?? [])];
    const filtered = this.#filtered.filter(
      (each) => each.account === account && each.integration === id,
    );
    const tallies = [
      ...attempted.map(([hour, { tally }]) => ({ hour, tally })),
      ...filtered.map(({ hour, events }) => ({ hour, tally: tallyOfFiltered(events) })),
    ].filter(({ hour }) => hour >= first);
    const byHour = Map.groupBy(tallies, ({ hour }) => hour);
    return new Map([...byHour].map(([hour, of]) => [hour, sumOf(of.map(({ tally }) => tally))]));
  }
}
