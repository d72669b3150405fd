import { OUTCOMES } from '../../core/delivery/attempt.ts';
import {
  type Hour,
  LAST_BUCKET,
  startOf,
  type Tally,
} from '../../core/delivery/statistics/tally.ts';

/**
 * An item of table Statistics: key `integration`, `hour`. Beside the key and `expiresAt` it has
 * numbers: `delivered`, `transient` and `fatal`, and for each duration's bucket that is not empty
 * `ms0` to `ms45`. And it has for each shard whose attempts it has counted `upTo <shard>`: the
 * position of the latest.
 */
export type StatisticsItem = Readonly<Record<string, string | number>>;

const BUCKETS = Array.from({ length: LAST_BUCKET + 1 }, (_, bucket) => bucket);

const bucketAttribute = (bucket: number): string => `ms${bucket}`;

/** The shard that `shardId-00000001732266000000-0a1b2c3d` names. */
export const upToAttribute = (shard: string): string => `upTo ${shard.replace(/^shardId-/, '')}`;

/** All attributes that a tally can have. */
export const TALLY_ATTRIBUTES: readonly string[] = [...OUTCOMES, ...BUCKETS.map(bucketAttribute)];

/** A tally as attributes, without those that would be 0. */
export const tallyAttributes = ({ outcomes, durations }: Tally): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [
      ...Object.entries(outcomes),
      ...[...durations].map(([bucket, count]) => [bucketAttribute(bucket), count] as const),
    ].filter(([, count]) => count > 0),
  );

export const tallyIn = (item: StatisticsItem): Tally => {
  const numberOf = (name: string): number => Number(item[name] ?? 0);
  return {
    outcomes: {
      delivered: numberOf('delivered'),
      transient: numberOf('transient'),
      fatal: numberOf('fatal'),
    },
    durations: new Map(
      BUCKETS.map((bucket) => [bucket, numberOf(bucketAttribute(bucket))] as const).filter(
        ([, count]) => count > 0,
      ),
    ),
  };
};

/** The API shows 30 days, and the oldest of them is whole. */
const KEPT_DAYS = 31;

/** When DynamoDB may delete the item of an hour: seconds since 1970. */
export const expiryOf = (hour: Hour): number =>
  startOf(hour).getTime() / 1_000 + KEPT_DAYS * 86_400;
