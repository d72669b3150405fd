import type { Integration } from '../integration/integration.ts';

/**
 * Deliveries of an integration whose endpoint is slow go through a queue of their own, the slow
 * lane: a batch takes as long as its slowest attempt, and would hold up everybody's deliveries.
 */
export type Lane = 'fast' | 'slow';

/** An attempt without an answer after this time is slow. */
export const SLOW_AFTER_MS = 1_000;

/** So long after a slow attempt an integration stays in the slow lane. */
const SLOW_FOR_MS = 3_600_000;
/** So long without a slow attempt, an attempt that is fast brings it back earlier. */
const FAST_AGAIN_AFTER_MS = 30_000;
/** A slow attempt is noted at most once in this time. */
const NOTED_EVERY_MS = 10_000;

type Slowness = Pick<Integration, 'slowAt'>;

const sinceSlowMs = ({ slowAt }: Slowness, now: Date): number =>
  slowAt === undefined ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(slowAt);

export const laneOf = (integration: Slowness, now: Date): Lane =>
  sinceSlowMs(integration, now) < SLOW_FOR_MS ? 'slow' : 'fast';

export const isToBeNoted = (integration: Slowness, now: Date): boolean =>
  sinceSlowMs(integration, now) >= NOTED_EVERY_MS;

export const isFastAgain = (
  integration: Slowness,
  attempt: { durationMs: number },
  now: Date,
): boolean =>
  integration.slowAt !== undefined &&
  attempt.durationMs < SLOW_AFTER_MS &&
  sinceSlowMs(integration, now) >= FAST_AGAIN_AFTER_MS;
