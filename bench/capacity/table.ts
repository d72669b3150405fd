import { IN_FLIGHT_LIMIT } from '../../lib/limits.ts';
import type { StageSettings } from '../../lib/stage-settings.ts';
import { Population, type Row } from './customers.ts';
import { connectFunctions } from './functions.ts';
import type { Waits } from './measures.ts';
import { Model } from './model.ts';

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
  simulate(new Population(row, run.integrations), {
    ...run,
    minutes: Math.max(run.minutes, row.minutes ?? 0),
  });

/** The healthy of a row, without the others. */
export const simulateAlone = (row: Row, run: RunSettings): Promise<Found> =>
  simulate(new Population(row, run.integrations).healthyAlone(), run);

/** The p95 of healthy customers beside the others, divided by their p95 alone. */
const MOST_P95 = 1.2;
/** The alarm on messages in flight rings here. */
const MOST_IN_FLIGHT = IN_FLIGHT_LIMIT / 2;
const LEAST_RATE = 0.99;
/** A partition of DynamoDB takes so many a second. */
const MOST_WRITES = 1_000;

type Flood = NonNullable<Row['flood']>;

export interface Compared {
  readonly row: Row;
  readonly found: Found;
  readonly alone: Found;
}

const p95Of = ({ found, alone }: Compared): number => found.waits.p95Ms / alone.waits.p95Ms;

const confirmedRateOf = ({ confirms, eventsPerSecond, webhooks = 1 }: Flood): number =>
  confirms * eventsPerSecond * webhooks;

/** What a row misses of the goals. */
export const missesOf = (compared: Compared): readonly string[] => {
  const { row, found } = compared;
  const queues = Object.entries(found.mostInFlight);
  const { flood } = row;
  const isStarved = flood && found.floodRate < LEAST_RATE * confirmedRateOf(flood);
  return [
    ...(p95Of(compared) <= MOST_P95
      ? []
      : [`the p95 is ${times(p95Of(compared))} times that alone`]),
    ...queues
      .filter(([, most]) => most > MOST_IN_FLIGHT)
      .map(([queue, most]) => `${most} messages of ${queue} are in flight`),
    ...(found.hottestItem.most > MOST_WRITES
      ? [`an integration is written ${whole(found.hottestItem.most)} times a second`]
      : []),
    ...(isStarved ? [`the flood gets ${Math.round(found.floodRate)} events a second`] : []),
  ];
};

const HEADS = [
  'Beside the healthy customers',
  'p50 ÷ alone',
  'p95 ÷ alone',
  'p95 of the worst minute ÷ alone',
  'in flight: deliveries',
  'slow lane',
  'attempts at once: fast lane',
  'slow lane',
  'writes a second of one integration: most',
  'mean',
  'beside it',
];

const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const headLines = (): readonly string[] => [
  rowOf(HEADS),
  `|---|${'---:|'.repeat(HEADS.length - 2)}---|`,
];

export const lineOf = (compared: Compared): string => {
  const { row, found, alone } = compared;
  return rowOf([
    row.title,
    times(found.waits.p50Ms / alone.waits.p50Ms),
    times(p95Of(compared)),
    times(found.worstMinuteMs / alone.worstMinuteMs),
    ...[
      found.mostInFlight.deliveries,
      found.mostInFlight.slowLane,
      found.mostAtOnce.fast,
      found.mostAtOnce.slow,
      found.hottestItem.most,
    ].map(whole),
    found.hottestItem.mean.toFixed(2),
    besideIt(row, found),
  ]);
};

/** What a row says in a few words. */
export const shortOf = (compared: Compared): string =>
  `p95 of healthy customers ${times(p95Of(compared))} × that alone, ${whole(compared.found.mostInFlight.deliveries)} deliveries in flight`;

const besideIt = ({ flood, tellsOthers }: Row, found: Found): string =>
  [
    ...(flood && flood.confirms > 0
      ? [`${whole(found.floodRate)} of ${whole(confirmedRateOf(flood))} delivered a second`]
      : []),
    ...(tellsOthers
      ? [
          `p95 of the slow: ${seconds(found.othersP95Ms)}, of their worst minute ${seconds(found.othersWorstMinuteMs)}`,
        ]
      : []),
  ].join('; ');

const whole = (count: number): string => Math.round(count).toLocaleString('en');
const times = (ratio: number): string => (ratio < 10 ? ratio.toFixed(2) : whole(ratio));
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 1_000 ? 2 : 0)} s`;
