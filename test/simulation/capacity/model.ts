import type { Delivery } from '../../../core/delivery/delivery.ts';
import type { ReplayRequest } from '../../../core/delivery/pending/replay-requests.ts';
import type { PlatformEvent } from '../../../core/event/event.ts';
import type { IntegrationEpoch } from '../../../core/integration/integration.ts';
import type { StageSettings } from '../../../lib/stage-settings.ts';
import { InMemoryPendingEvents } from '../../support/delivery/pending/in-memory-pending-events.ts';
import { InMemorySetAsideEvents } from '../../support/delivery/pending/in-memory-set-aside-events.ts';
import { InMemorySlots } from '../../support/delivery/sending/in-memory-slots.ts';
import { Random } from '../random.ts';
import { FairQueue } from './fair-queue.ts';
import { GroupFifo } from './group-fifo.ts';
import { HourlySchedules } from './hourly-schedules.ts';
import { ItemWrites } from './item-writes.ts';
import { Measures } from './measures.ts';
import { accountOf, type Population } from './population.ts';
import { ForgetfulDeliveryLog, IntegrationsByAccount } from './stores.ts';
import { eventOf, startTraffic } from './traffic.ts';
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
  readonly slots = new InMemorySlots();
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
    this.queues.events.send(eventOf({ event, integration }, this.clock.now()), {
      group: accountOf(integration),
    });
  }
}
