import type { Integration, Slowness } from '../integration/integration.ts';

/**
 * Deliveries to slow endpoints go through a queue of their own, the slow lane: a batch takes as
 * long as its slowest attempt, and would delay the deliveries of other customers.
 */
export type Lane = 'fast' | 'slow';

/** An attempt without an answer after this time is slow. */
export const SLOW_AFTER_MS = 1_000;

/**
 * A slow attempt adds this to the score, and each fast attempt takes one off: above one slow
 * attempt in five the score grows.
 */
const SLOW_ATTEMPT = 4;
/** An integration with this score is in the slow lane: after two slow attempts in a row. */
const SLOW_LANE_SCORE = 2 * SLOW_ATTEMPT;
/** The highest score. It lets an endpoint that is fast again leave the slow lane soon. */
const HIGHEST_SCORE = 2 * SLOW_LANE_SCORE;
/** How long a noted score is valid. */
const NOTE_COUNTS_MS = 3_600_000;
/** The shortest time between two notes of the same score. */
const NOTED_EVERY_MS = 60_000;

type Noted = Pick<Integration, 'slowness'>;

const scoreOf = ({ slowness }: Noted, now: Date): number =>
  slowness === undefined || msSince(slowness, now) >= NOTE_COUNTS_MS ? 0 : slowness.score;

const msSince = ({ notedAt }: Slowness, now: Date): number => now.getTime() - Date.parse(notedAt);

export const laneOf = (integration: Noted, now: Date): Lane =>
  scoreOf(integration, now) >= SLOW_LANE_SCORE ? 'slow' : 'fast';

/**
 * The slowness to note on an integration after attempts of its deliveries; undefined if it stays. A
 * score of 0 stands for a fast endpoint. An endpoint that answers fewer than one in five attempts
 * of a batch slowly gets no note.
 */
export const slownessAfter = (
  integration: Noted,
  attempts: { slow: number; fast: number },
  now: Date,
): Slowness | undefined => {
  const before = scoreOf(integration, now);
  const after = before + SLOW_ATTEMPT * attempts.slow - attempts.fast;
  const score = Math.max(0, Math.min(HIGHEST_SCORE, after));
  const { slowness } = integration;
  const isSame =
    score === before && (score === 0 || (slowness && msSince(slowness, now) < NOTED_EVERY_MS));
  return isSame ? undefined : { score, notedAt: now.toISOString() };
};
