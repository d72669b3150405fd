import type { Delivery } from '../../core/delivery/delivery.ts';
import type { ReplayRequest } from '../../core/delivery/pending/replay-requests.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import type { IntegrationEpoch } from '../../core/integration/integration.ts';
import type { StageSettings } from '../../lib/stage-settings.ts';
import { Random } from '../../test/simulation/chance.ts';
import { InMemoryPendingEvents } from '../../test/support/delivery/pending/in-memory-pending-events.ts';
import { InMemorySetAsideEvents } from '../../test/support/delivery/pending/in-memory-set-aside-events.ts';
import { InMemorySlotStore } from '../../test/support/delivery/sending/in-memory-slot-store.ts';
import type { Population } from './customers.ts';
import { Measures } from './measures.ts';
import { FairQueue, GroupFifo } from './queues.ts';
import {
  ForgetfulDeliveryLog,
  HourlySchedules,
  IntegrationsByAccount,
  ItemWrites,
} from './stores.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface ModelSettings {
  readonly stage: StageSettings;
  readonly population: Population;
  readonly eventsPerSecond: number;
  readonly seed: number;
}

const STARTS_AT = new Date('2026-11-20T12:00:00.000Z');

/** The queues and stores of the service, in memory and in virtual time. */
export class Model {
  readonly settings: ModelSettings;
  readonly clock = new VirtualClock(STARTS_AT);
  readonly startsAtMs = STARTS_AT.getTime();
  /** Draws what endpoints and the service leave to chance. */
  readonly random: Random;
  readonly measures: Measures;
  readonly writes = new ItemWrites(this.clock);
  readonly integrations: IntegrationsByAccount;
  readonly pendingEvents = new InMemoryPendingEvents();
  readonly setAsideEvents = new InMemorySetAsideEvents();
  readonly slots = new InMemorySlotStore();
  readonly deliveryLog = new ForgetfulDeliveryLog();
  readonly schedules: HourlySchedules;
  readonly queues = {
    events: new FairQueue<PlatformEvent>(this.clock, 'event'),
    deliveries: new FairQueue<Delivery>(this.clock, 'delivery'),
    slowLane: new FairQueue<Delivery>(this.clock, 'slow delivery'),
    replays: new GroupFifo<ReplayRequest>(),
    retries: new FairQueue<IntegrationEpoch>(this.clock, 'retry'),
  };

  constructor(settings: ModelSettings) {
    const { stage, population, seed } = settings;
    this.settings = settings;
    this.random = new Random(seed + 2);
    this.measures = new Measures(this.clock, population);
    this.integrations = new IntegrationsByAccount(population.integrations());
    this.schedules = new HourlySchedules(this.clock, {
      intervalMs: stage.retryIntervalMs,
      random: this.random,
      fire: (schedule) => this.queues.retries.send(schedule, { group: '' }),
    });
    startTraffic(this.clock, { ...settings, send: (integration) => this.#send(integration) });
  }

  #send(integration: number): void {
    const event = this.measures.sent(integration);
    const account = this.settings.population.accountOf(integration);
    this.queues.events.send(eventOf({ event, account }, this.clock.now()), { group: account });
  }
}

interface Traffic {
  readonly population: Population;
  readonly seed: number;
  /** Of all integrations but the flood. */
  readonly eventsPerSecond: number;
  readonly send: (integration: number) => void;
}

/** A random time to the next event of a Poisson process. */
const gapMs = (random: Random, eventsPerSecond: number): number =>
  (-Math.log(1 - random.next()) * 1_000) / eventsPerSecond;

/**
 * Events arrive as a Poisson process, each of an integration drawn uniformly. The events of the
 * healthy are the same with the others and alone: the draws are, and those of others are left out.
 */
const startTraffic = (
  clock: VirtualClock,
  { population, seed, eventsPerSecond, send }: Traffic,
): void => {
  const random = new Random(seed);
  arrive(clock, { random, eventsPerSecond, fromMs: clock.nowMs }, () => {
    const integration = random.below(population.size);
    if (population.hasEvents(population.kindOf(integration))) send(integration);
  });
  const { flood } = population.row;
  if (flood === undefined || !population.hasEvents('flood')) return;
  const fromMs = clock.nowMs + flood.fromMinute * 60_000;
  arrive(clock, { ...flood, random: new Random(seed + 1), fromMs }, () => send(population.size));
};

/** Instants between milliseconds are kept, so that the rate is right above 1,000 a second too. */
const arrive = (
  clock: VirtualClock,
  { random, eventsPerSecond, fromMs }: { random: Random; eventsPerSecond: number; fromMs: number },
  happens: () => void,
): void => {
  let nextMs = fromMs + gapMs(random, eventsPerSecond);
  const happenDue = (): void => {
    while (nextMs <= clock.nowMs) {
      happens();
      nextMs += gapMs(random, eventsPerSecond);
    }
    clock.schedule(nextMs - clock.nowMs, happenDue);
  };
  clock.schedule(nextMs - clock.nowMs, happenDue);
};

const DATA = { message: 'constant' };

const eventOf = (
  { event, account }: { event: number; account: string },
  now: Date,
): PlatformEvent => ({
  id: `e${event}`,
  type: 'message.received',
  account,
  occurredAt: now.toISOString(),
  data: DATA,
});

/** The number of the event in the id of its delivery. */
export const eventNumberIn = (deliveryId: string): number =>
  Number(deliveryId.slice(deliveryId.lastIndexOf('e') + 1));
