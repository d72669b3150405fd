import type { PlatformEvent } from '../../../core/event/event.ts';
import { Random } from '../random.ts';
import { accountOf, type Population } from './population.ts';
import type { VirtualClock } from './virtual-clock.ts';

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
export const startTraffic = (
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

export const eventOf = (
  { event, integration }: { event: number; integration: number },
  now: Date,
): PlatformEvent => ({
  id: `e${event}`,
  type: 'message.received',
  account: accountOf(integration),
  occurredAt: now.toISOString(),
  data: DATA,
});

/** The number of the event in the id of its delivery. */
export const eventNumberIn = (deliveryId: string): number =>
  Number(deliveryId.slice(deliveryId.lastIndexOf('e') + 1));
