import type { TroubleStates } from '../../../core/delivery/trouble/troubles.ts';
import type { IntegrationKey } from '../../../core/integration/integration.ts';
import type { VirtualClock } from './virtual-clock.ts';

const SECOND_MS = 1_000;

interface Writes {
  second: number;
  inSecond: number;
  most: number;
  all: number;
}

/** Counts the writes of each integration's item, those whose condition fails included. */
export class ItemWrites {
  readonly #clock: VirtualClock;
  readonly #of = new Map<string, Writes>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  note(id: string): void {
    const second = Math.floor(this.#clock.nowMs / SECOND_MS);
    const writes = this.#of.get(id) ?? { second, inSecond: 0, most: 0, all: 0 };
    if (writes.second !== second) Object.assign(writes, { second, inSecond: 0 });
    writes.inSecond += 1;
    writes.all += 1;
    writes.most = Math.max(writes.most, writes.inSecond);
    this.#of.set(id, writes);
  }

  /** Of the item with the most writes in a second: so many, and how many in a second on average. */
  hottest({ seconds }: { seconds: number }): { most: number; mean: number } {
    const none = { most: 0, all: 0 };
    const hottest = [...this.#of.values()].reduce(
      (one: Pick<Writes, 'most' | 'all'>, other) => (other.most > one.most ? other : one),
      none,
    );
    return { most: hottest.most, mean: hottest.all / seconds };
  }
}

/**
 * The states as one invocation writes them. The adapter gathers what the records of a batch write
 * at the same time: equal calls about an integration at one instant are one write.
 */
export const countedStates = (
  states: TroubleStates,
  { writes, clock }: { writes: ItemWrites; clock: VirtualClock },
): TroubleStates => {
  const latest = new Map<string, number>();
  const note = (method: string, { id }: Pick<IntegrationKey, 'id'>): void => {
    const call = `${method} ${id}`;
    if (latest.get(call) === clock.nowMs) return;
    latest.set(call, clock.nowMs);
    writes.note(id);
  };
  const counted =
    <Rest extends readonly unknown[], Result>(
      method: string,
      call: (of: Parameters<TroubleStates['confirm']>[0], ...rest: Rest) => Result,
    ) =>
    (of: Parameters<TroubleStates['confirm']>[0], ...rest: Rest): Result => {
      note(method, of);
      return call.call(states, of, ...rest);
    };
  return {
    extendStreak: counted('extendStreak', states.extendStreak),
    confirm: counted('confirm', states.confirm),
    begin: counted('begin', states.begin),
    end: counted('end', states.end),
    closeEpoch: counted('closeEpoch', states.closeEpoch),
    claimRetry: counted('claimRetry', states.claimRetry),
    noteAttempt: counted('noteAttempt', states.noteAttempt),
    noteSlowness: (read, slowness) => {
      note('noteSlowness', read);
      return states.noteSlowness(read, slowness);
    },
    countSetAside: (of, by) => {
      note('countSetAside', of);
      return states.countSetAside(of, by);
    },
  };
};
