import type { Delivery } from '../../core/delivery/delivery.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import type { StageSettings } from '../../lib/stage-settings.ts';
import { Random } from '../../test/simulation/chance.ts';
import { InMemoryPendingEvents } from '../../test/support/delivery/pending/in-memory-pending-events.ts';
import { InMemorySetAsideEvents } from '../../test/support/delivery/pending/in-memory-set-aside-events.ts';
import { InMemorySlotStore } from '../../test/support/delivery/sending/in-memory-slot-store.ts';
import { InMemoryRetrySchedules } from '../../test/support/delivery/trouble/in-memory-retry-schedules.ts';
import { InMemoryIntegrations } from '../../test/support/integration/in-memory-integrations.ts';
import { Population, type Row } from './customers.ts';
import { ForgetfulDeliveryLog } from './delivery-log.ts';
import { Measures } from './measures.ts';
import { FairQueue } from './queues.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface RunSettings {
  readonly stage: StageSettings;
  readonly integrations: number;
  /** Of all integrations but the flood. */
  readonly eventsPerSecond: number;
  readonly minutes: number;
  /** The first minutes, in which waits are not counted. */
  readonly warmUpMinutes: number;
  readonly seed: number;
}

const MINUTE_MS = 60_000;

/**
 * The queues, functions and stores on the way of an event, in virtual time. Hourly retries and
 * replays are left out: a run is shorter than an hour.
 */
export class Model {
  readonly run: RunSettings;
  readonly population: Population;
  readonly clock = new VirtualClock();
  /** Draws what endpoints and the service leave to chance. */
  readonly random: Random;
  readonly measures: Measures;
  readonly integrations: InMemoryIntegrations;
  readonly pendingEvents = new InMemoryPendingEvents();
  readonly setAsideEvents = new InMemorySetAsideEvents();
  readonly slots = new InMemorySlotStore();
  readonly schedules = new InMemoryRetrySchedules();
  readonly deliveryLog = new ForgetfulDeliveryLog();
  readonly queues = {
    events: new FairQueue<PlatformEvent>(this.clock, 'event'),
    deliveries: new FairQueue<Delivery>(this.clock, 'delivery'),
    slowLane: new FairQueue<Delivery>(this.clock, 'slow delivery'),
  };

  constructor(row: Row, run: RunSettings) {
    this.run = run;
    this.population = new Population(row, run.integrations);
    this.random = new Random(run.seed + 2);
    this.measures = new Measures(this.clock, this.population);
    this.integrations = new InMemoryIntegrations(...this.population.integrations());
    this.#startTraffic();
  }

  get isWarm(): boolean {
    return this.clock.nowMs >= this.clock.startedAtMs + this.run.warmUpMinutes * MINUTE_MS;
  }

  /**
   * Events arrive as a Poisson process, each of an integration drawn uniformly. Those of the healthy
   * are the same in each row.
   */
  #startTraffic(): void {
    const { eventsPerSecond, seed, warmUpMinutes } = this.run;
    const random = new Random(seed);
    const { size, row } = this.population;
    this.#arrive({ random, eventsPerSecond, afterMs: 0 }, () => this.#send(random.below(size)));
    if (row.flood === undefined) return;
    const flood = { random: new Random(seed + 1), afterMs: warmUpMinutes * MINUTE_MS };
    this.#arrive({ ...row.flood, ...flood }, () => this.#send(size));
  }

  /** Instants between milliseconds are kept, so that the rate is right above 1,000 a second too. */
  #arrive(
    source: { random: Random; eventsPerSecond: number; afterMs: number },
    happens: () => void,
  ): void {
    const { random, eventsPerSecond, afterMs } = source;
    const gapMs = () => (-Math.log(1 - random.next()) * 1_000) / eventsPerSecond;
    let nextMs = this.clock.nowMs + afterMs + gapMs();
    const happenDue = (): void => {
      while (nextMs <= this.clock.nowMs) {
        happens();
        nextMs += gapMs();
      }
      this.clock.schedule(nextMs - this.clock.nowMs, happenDue);
    };
    this.clock.schedule(nextMs - this.clock.nowMs, happenDue);
  }

  #send(integration: number): void {
    const account = this.population.accountOf(integration);
    const event = {
      id: `e${this.measures.sent(integration)}`,
      type: 'message.received',
      account,
      occurredAt: this.clock.now().toISOString(),
      data: {},
    } as const;
    this.queues.events.send(event, { group: account });
  }
}
