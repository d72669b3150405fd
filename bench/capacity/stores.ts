import { type Calls, gatheredCalls } from '../../adapters/gathered-calls.ts';
import { endOf } from '../../core/delivery/attempt.ts';
import { type Delivery, deliveryId } from '../../core/delivery/delivery.ts';
import type { DeliveryLog, LogEntry, LogReading } from '../../core/delivery/delivery-log.ts';
import type { RetrySchedules } from '../../core/delivery/trouble/begin-trouble.ts';
import type { TroubleStates } from '../../core/delivery/trouble/troubles.ts';
import type {
  Integration,
  IntegrationEpoch,
  IntegrationKey,
} from '../../core/integration/integration.ts';
import { SET_ASIDE_COUNTED_MS } from '../../lambdas/composition/troubles.ts';
import type { Random } from '../../test/simulation/chance.ts';
import { InMemoryIntegrations } from '../../test/support/integration/in-memory-integrations.ts';
import type { Timer, VirtualClock } from './virtual-clock.ts';

/** Finds the integrations of an account without looking at all. */
export class IntegrationsByAccount extends InMemoryIntegrations {
  readonly #idsOf = new Map<string, string[]>();

  constructor(integrations: readonly Integration[]) {
    super();
    for (const integration of integrations) {
      const { account, id } = integration;
      this.#idsOf.set(account, [...(this.#idsOf.get(account) ?? []), id]);
      void this.add(integration);
    }
  }

  override async listOf(account: string): Promise<readonly Integration[]> {
    const ids = this.#idsOf.get(account) ?? [];
    const found = await this.findAll(ids.map((id) => ({ account, id })));
    return found.filter((integration) => integration !== undefined);
  }
}

/**
 * A delivery log of what the core asks about. It forgets deliveries that their first attempt
 * delivered: no queue of the model hands out a message that was deleted.
 */
export class ForgetfulDeliveryLog implements DeliveryLog {
  readonly #readings = new Map<string, LogReading>();
  readonly #confirmedAtMs = new Map<string, number>();

  async write(entries: readonly LogEntry[]): Promise<readonly boolean[]> {
    return entries.map(({ delivery, attempt }) => {
      const id = idOf(delivery);
      const { number, nextAttemptAt, startedAt, outcome } = attempt;
      if (outcome.class === 'delivered') {
        const deliveredAt = endOf(attempt);
        if (this.#readings.has(id) || delivery.trigger === 'replay')
          this.#readings.set(id, { logged: 'delivered', deliveredAt: deliveredAt.toISOString() });
        this.#confirmedAtMs.set(delivery.integration, deliveredAt.getTime());
      } else {
        const { result } = outcome;
        const latestAttempt = {
          ...{ number, startedAt: startedAt.toISOString(), outcome: outcome.class },
          statusCode: result.kind === 'answered' ? result.statusCode : undefined,
          backsOff: nextAttemptAt !== undefined,
        };
        this.#readings.set(id, { logged: 'attempted', latestAttempt });
      }
      return false;
    });
  }

  /** Whether a delivery is listed changes nothing of what is done with it. */
  async list(deliveries: readonly Delivery[]): Promise<readonly undefined[]> {
    return deliveries.map(() => undefined);
  }

  async read(deliveries: readonly Delivery[]): Promise<readonly LogReading[]> {
    return deliveries.map(
      (delivery) => this.#readings.get(idOf(delivery)) ?? { logged: 'nothing' },
    );
  }

  async confirmedSince(integration: string, since: Date): Promise<boolean> {
    return (this.#confirmedAtMs.get(integration) ?? 0) >= since.getTime();
  }
}

const idOf = ({ integration, event }: Delivery): string => deliveryId(integration, event.id);

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
 * at the same time: equal calls about an integration at one instant are one write, and those that
 * count set-aside events within a second.
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
  const countSetAside = gatheredCalls(
    async (counts: Calls<Parameters<TroubleStates['countSetAside']>>) => {
      writes.note(counts[0][0].id);
      return Promise.all(counts.map((count) => states.countSetAside(...count)));
    },
    ([{ id }]) => id,
    (send) => clock.schedule(SET_ASIDE_COUNTED_MS, send),
  );
  return new Proxy(states, {
    get:
      (target, method: keyof TroubleStates) =>
      (of: IntegrationKey, ...rest: unknown[]): unknown => {
        if (method === 'countSetAside') return countSetAside([of, rest[0] as 1 | -1]);
        note(method, of);
        return Reflect.apply(target[method], target, [of, ...rest]);
      },
  });
};

/** Scheduler fires a schedule at some minute of this window. */
const WINDOW_MS = 600_000;

/** The hourly schedules. */
export class HourlySchedules implements RetrySchedules {
  readonly #clock: VirtualClock;
  readonly #options: {
    readonly intervalMs: number;
    readonly random: Random;
    readonly fire: (schedule: IntegrationEpoch) => void;
  };
  readonly #timers = new Map<string, Timer>();

  constructor(
    clock: VirtualClock,
    options: { intervalMs: number; random: Random; fire: (schedule: IntegrationEpoch) => void },
  ) {
    this.#clock = clock;
    this.#options = options;
  }

  async ensure({ account, id, epoch }: IntegrationEpoch): Promise<void> {
    if (this.#timers.has(scheduleName({ id, epoch }))) return;
    const { intervalMs, random } = this.#options;
    this.#fireAfter({ account, id, epoch }, intervalMs + random.below(WINDOW_MS));
  }

  async move(schedule: IntegrationEpoch, next: Date): Promise<void> {
    const { account, id, epoch } = schedule;
    if (!this.#timers.has(scheduleName(schedule))) return;
    await this.remove(schedule);
    const delayMs = next.getTime() - this.#clock.nowMs;
    this.#fireAfter({ account, id, epoch }, delayMs + this.#options.random.below(WINDOW_MS));
  }

  async remove(schedule: IntegrationEpoch): Promise<void> {
    const timer = this.#timers.get(scheduleName(schedule));
    if (timer) timer.fire = undefined;
    this.#timers.delete(scheduleName(schedule));
  }

  #fireAfter(schedule: IntegrationEpoch, delayMs: number): void {
    const timer = this.#clock.schedule(delayMs, () => {
      this.#fireAfter(schedule, this.#options.intervalMs);
      this.#options.fire(schedule);
    });
    this.#timers.set(scheduleName(schedule), timer);
  }
}

const scheduleName = ({ id, epoch }: Pick<IntegrationEpoch, 'id' | 'epoch'>): string =>
  `${id}-${epoch}`;
