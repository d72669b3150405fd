import type { AttemptCounts } from '../../api/resources.ts';

/** A count other than 0 is visible, however small it is beside the others. */
const LEAST_HEIGHT = 2;

/** Bars with failed attempts stacked on delivered attempts. The highest has the given height. */
export const sparkBars = (counts: readonly AttemptCounts[], height: number) => {
  const most = Math.max(1, ...counts.map((count) => count.delivered + failedOf(count)));
  const heightOf = (attempts: number): number =>
    attempts === 0 ? 0 : Math.max(LEAST_HEIGHT, (attempts / most) * height);
  return counts.map((count) => {
    const failed = heightOf(failedOf(count));
    const delivered = Math.min(heightOf(count.delivered), height - failed);
    return {
      start: count.start,
      delivered: { y: height - delivered, height: delivered },
      failed: { y: height - delivered - failed, height: failed },
    };
  });
};

export const failedOf = ({
  transient,
  fatal,
}: Pick<AttemptCounts, 'transient' | 'fatal'>): number => transient + fatal;
