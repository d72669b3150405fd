import type { Streak } from '../../integration/integration.ts';
import type { StreakCount } from '../trouble/troubles.ts';

/**
 * Attempts run side by side, hundreds in a replay. For so long after the first outcome of a streak,
 * attempts that began with it may still be confirmed, and the outcomes are not in a row yet.
 */
const SIDE_BY_SIDE_MS = 2_000;

/** Whether so many different deliveries had an outcome in a row, with no success between. */
export const isInARow = (
  streak: Streak | undefined,
  { count, most, now }: { count: StreakCount; most: number; now: Date },
): boolean =>
  streak !== undefined &&
  streak[count] >= most &&
  now.getTime() - Date.parse(streak.since) >= SIDE_BY_SIDE_MS;
