/**
 * Durations are counted in buckets, so that counts of many hours can be added up. Each bucket ends a
 * quarter above the one before: a percentile is at most a quarter too high. An attempt of 20 s, the
 * longest there is, is in bucket 45.
 */
const GROWTH = 1.25;

export const LAST_BUCKET = 45;

/** How many attempts took how long, by bucket. */
export type Durations = ReadonlyMap<number, number>;

/** Bucket 0 has what takes up to a millisecond, and the last bucket all that takes longer. */
export const bucketOf = (durationMs: number): number => {
  const bucket = Math.ceil(Math.log(Math.max(1, durationMs)) / Math.log(GROWTH));
  return Math.min(bucket, LAST_BUCKET);
};

/** The longest duration of a bucket, in whole milliseconds. */
const endOf = (bucket: number): number => Math.round(GROWTH ** bucket);

/** How long at least 95 % of the attempts took at most; undefined without attempts. */
export const p95Of = (durations: Durations): number | undefined => {
  const total = [...durations.values()].reduce((sum, count) => sum + count, 0);
  let counted = 0;
  for (const [bucket, count] of [...durations].toSorted(([one], [other]) => one - other)) {
    counted += count;
    if (counted >= 0.95 * total) return endOf(bucket);
  }
  return undefined;
};
