import { IN_FLIGHT_LIMIT } from '../../../lib/limits.ts';
import { dead } from './endpoints.ts';
import type { Row } from './rows.ts';
import type { Found } from './simulate-row.ts';

/** The p95 of healthy customers beside the others, divided by their p95 alone. */
const MOST_P95 = 1.2;
/** The alarm on messages in flight rings here. */
const MOST_IN_FLIGHT = IN_FLIGHT_LIMIT / 2;
const LEAST_RATE = 0.99;

export interface Compared {
  readonly row: Row;
  readonly found: Found;
  readonly alone: Found;
}

const p95Of = ({ found, alone }: Compared): number => found.waits.p95Ms / alone.waits.p95Ms;

/** What a row misses of the goals. */
export const missesOf = (compared: Compared): readonly string[] => {
  const { row, found } = compared;
  const queues = Object.entries(found.mostInFlight);
  const { flood } = row;
  const isStarved =
    flood && flood.behaviour !== dead && found.floodRate < LEAST_RATE * flood.eventsPerSecond;
  return [
    ...(p95Of(compared) <= MOST_P95
      ? []
      : [`the p95 is ${times(p95Of(compared))} times that alone`]),
    ...queues
      .filter(([, most]) => most > MOST_IN_FLIGHT)
      .map(([queue, most]) => `${most} messages of ${queue} are in flight`),
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
  'another queue',
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
  const { events, deliveries, slowLane, replays, retries } = found.mostInFlight;
  return rowOf([
    row.title,
    times(found.waits.p50Ms / alone.waits.p50Ms),
    times(p95Of(compared)),
    times(found.worstMinuteMs / alone.worstMinuteMs),
    ...[deliveries, slowLane, Math.max(events, replays, retries)].map(whole),
    ...[found.mostAtOnce.fast, found.mostAtOnce.slow].map(whole),
    whole(found.hottestItem.most),
    found.hottestItem.mean.toFixed(2),
    besideIt(row, found),
  ]);
};

const besideIt = ({ flood, tellsOthers }: Row, found: Found): string =>
  [
    ...(flood && flood.behaviour !== dead ? [`${whole(found.floodRate)} delivered a second`] : []),
    ...(tellsOthers
      ? [
          `p95 of the slow: ${seconds(found.othersP95Ms)}, of their worst minute ${seconds(found.othersWorstMinuteMs)}`,
        ]
      : []),
  ].join('; ');

const whole = (count: number): string => Math.round(count).toLocaleString('en');
const times = (ratio: number): string => (ratio < 10 ? ratio.toFixed(2) : whole(ratio));
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 1_000 ? 2 : 0)} s`;
