import type { StageSettings } from '../../../lib/stage-settings.ts';
import { connectFunctions } from './connect-functions.ts';
import type { Waits } from './measures.ts';
import { Model } from './model.ts';
import { Population } from './population.ts';
import type { Row } from './rows.ts';

export interface RunSettings {
  readonly stage: StageSettings;
  readonly integrations: number;
  readonly eventsPerSecond: number;
  readonly minutes: number;
  /** The first minutes, in which waits and rates are not counted. */
  readonly warmUpMinutes: number;
  readonly seed: number;
}

export interface Found {
  /** Of healthy customers. */
  readonly waits: Waits;
  /** The highest p95 of a minute; the warm-up counts, but for its first minute. */
  readonly worstMinuteMs: number;
  /** The same of the others. */
  readonly othersP95Ms: number;
  readonly othersWorstMinuteMs: number;
  readonly mostInFlight: Readonly<Record<keyof Model['queues'], number>>;
  readonly mostAtOnce: Readonly<Record<'fast' | 'slow', number>>;
  readonly hottestItem: { readonly most: number; readonly mean: number };
  /** Events of the flood that were delivered in a second. */
  readonly floodRate: number;
}

const MINUTE_MS = 60_000;

const simulate = async (population: Population, run: RunSettings): Promise<Found> => {
  const { minutes, warmUpMinutes } = run;
  const model = new Model({ ...run, population });
  connectFunctions(model);
  await model.clock.runUntil(model.startsAtMs + minutes * MINUTE_MS);
  const { measures, queues, writes } = model;
  const { events, deliveries, slowLane, replays, retries } = queues;
  measures.end();
  return {
    waits: measures.waitsFrom(warmUpMinutes, 'healthy'),
    worstMinuteMs: measures.worstMinuteFrom(1, 'healthy'),
    othersP95Ms: measures.waitsFrom(warmUpMinutes, 'others').p95Ms,
    othersWorstMinuteMs: measures.worstMinuteFrom(1, 'others'),
    mostInFlight: {
      events: events.mostInFlight,
      deliveries: deliveries.mostInFlight,
      slowLane: slowLane.mostInFlight,
      replays: replays.mostInFlight,
      retries: retries.mostInFlight,
    },
    mostAtOnce: measures.mostAtOnce,
    hottestItem: writes.hottest({ seconds: minutes * 60 }),
    floodRate: measures.floodRateFrom(
      Math.max(warmUpMinutes, population.row.flood?.fromMinute ?? 0),
    ),
  };
};

export const simulateRow = (row: Row, run: RunSettings): Promise<Found> =>
  simulate(new Population(row, run.integrations), run);

/** The healthy of a row, without the others. */
export const simulateAlone = (row: Row, run: RunSettings): Promise<Found> =>
  simulate(new Population(row, run.integrations).healthyAlone(), run);
