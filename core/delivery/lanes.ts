import type { Integration, IntegrationReader, Slowness } from '../integration/integration.ts';

/**
 * Slow endpoints have their own queue: a batch, which takes as long as its slowest attempt, would
 * delay others.
 */
export type Lane = 'fast' | 'slow';

export const SLOW_AFTER_MS = 1_000;

/** A fast attempt takes one off: above one slow attempt in five the score grows. */
const SLOW_ATTEMPT = 4;
/** An integration with this score is in the slow lane: after two slow attempts in a row. */
const SLOW_LANE_SCORE = 2 * SLOW_ATTEMPT;
/** The highest score. It lets an endpoint that is fast again leave the slow lane soon. */
const HIGHEST_SCORE = 2 * SLOW_LANE_SCORE;
const NOTE_COUNTS_MS = 3_600_000;
/** The shortest time between two notes of the same score. */
const NOTED_EVERY_MS = 60_000;

type Noted = Pick<Integration, 'slowness'>;

const scoreOf = ({ slowness }: Noted, now: Date): number =>
  slowness === undefined || msSince(slowness, now) >= NOTE_COUNTS_MS ? 0 : slowness.score;

const msSince = ({ notedAt }: Slowness, now: Date): number => now.getTime() - Date.parse(notedAt);

export const laneOf = (integration: Noted, now: Date): Lane =>
  scoreOf(integration, now) >= SLOW_LANE_SCORE ? 'slow' : 'fast';

/** The slowness to note after attempts; undefined if it stays. A score of 0 is a fast endpoint. */
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

export interface SlownessNotes {
  /** Sets `slowness`, or removes a score of 0, in any epoch; false if changed since `read`. */
  noteSlowness(read: Integration, slowness: Slowness): Promise<boolean>;
}

interface SlownessPorts {
  integrations: Pick<IntegrationReader, 'find'>;
  states: SlownessNotes;
  /** Resolves to true once an attempt is slow, to false if it ends before. */
  isSlow: (attempt: Promise<unknown>) => Promise<boolean>;
  now: () => Date;
}

export type WatchAttempt = <Attempt>(
  integration: Integration,
  attempt: Promise<Attempt>,
) => Promise<Attempt>;

interface Tally {
  undecided: number;
  slow: number;
  fast: number;
}

/**
 * Watches the attempts of one batch, and notes an integration's as soon as it is known which are
 * slow: before they end. If the process dies before, the integration stays in its lane.
 */
export const buildWatchBatch = (ports: SlownessPorts) => {
  const note = buildNoteTally(ports);
  return (): WatchAttempt => {
    const tallies = new Map<string, Tally>();
    return async (integration, attempt) => {
      const name = `${integration.account} ${integration.id}`;
      const tally = tallies.get(name) ?? { undecided: 0, slow: 0, fast: 0 };
      tallies.set(name, tally);
      tally.undecided += 1;
      const noting = ports.isSlow(attempt).then(async (isSlow) => {
        tally[isSlow ? 'slow' : 'fast'] += 1;
        tally.undecided -= 1;
        if (tally.undecided > 0) return;
        tallies.delete(name);
        await note(integration, tally);
      });
      const [made] = await Promise.all([attempt, noting.catch(() => {})]);
      return made;
    };
  };
};

/** Slow attempts of parallel batches add up, until the score suffices for the slow lane. */
const buildNoteTally =
  ({ integrations, states, now }: SlownessPorts) =>
  async (read: Integration, tally: Tally): Promise<void> => {
    const slowness = slownessAfter(read, tally, now());
    if (slowness === undefined || (await states.noteSlowness(read, slowness))) return;
    if (tally.slow === 0) return;
    const stored = await integrations.find(read.account, read.id);
    // An earlier call may have noted this, with its answer lost.
    if (stored === undefined || stored.slowness?.notedAt === slowness.notedAt) return;
    if (laneOf(stored, now()) === 'slow') return;
    const together = slownessAfter(stored, tally, now());
    if (together) await states.noteSlowness(stored, together);
  };
