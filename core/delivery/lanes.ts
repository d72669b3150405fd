import type { Integration, IntegrationReader, Slowness } from '../integration/integration.ts';

/**
 * Slow endpoints have their own queue: a batch, which takes as long as its slowest attempt, would
 * delay others. So would an event for many webhooks of a customer, which fills several batches at once.
 */
export type Lane = 'fast' | 'slow';

/** The webhooks of an event that fit into a batch of the fast lane. An event for more takes the slow lane. */
export const FAST_LANE_WEBHOOKS = 10;

export const SLOW_AFTER_MS = 1_000;

/** A fast attempt may take so much: 400 batches at once and 10,000 events a second leave 40 ms. */
const FAST_ATTEMPT_MS = 50;
/** One batch of so many counts its fast attempts, for all of them. */
const SAMPLED_BATCHES = 20;
/** An integration with this score is in the slow lane: after more than one attempt of 15 s. */
const SLOW_LANE_SCORE_MS = 16_000;
/** The score with which the slow lane begins. It ends after 12,000 fast attempts, or by time. */
const HIGHEST_SCORE_MS = 600_000;
/** How long a score counts after the latest slow attempt. */
const NOTE_COUNTS_MS = 600_000;
/** The shortest time between two notes of the same score. */
const NOTED_EVERY_MS = 60_000;

type Noted = Pick<Integration, 'slowness'>;

const scoreOf = ({ slowness }: Noted, now: Date): number =>
  slowness === undefined || msSince(slowness, now) >= NOTE_COUNTS_MS ? 0 : slowness.score;

const msSince = ({ notedAt }: Slowness, now: Date): number => now.getTime() - Date.parse(notedAt);

export const laneOf = (integration: Noted, now: Date): Lane =>
  scoreOf(integration, now) >= SLOW_LANE_SCORE_MS ? 'slow' : 'fast';

/** The slowness to note after the score's change; undefined if it stays. 0 is a fast endpoint. */
export const slownessAfter = (
  { slowness }: Noted,
  scoreChangeMs: number,
  now: Date,
): Slowness | undefined => {
  const before = scoreOf({ slowness }, now);
  const after = Math.max(0, before + scoreChangeMs);
  const isBeginning = before < SLOW_LANE_SCORE_MS && after >= SLOW_LANE_SCORE_MS;
  const score = isBeginning ? HIGHEST_SCORE_MS : Math.min(HIGHEST_SCORE_MS, after);
  const isDue = scoreChangeMs > 0 && slowness && msSince(slowness, now) >= NOTED_EVERY_MS;
  if (score === before && !isDue) return undefined;
  return { score, notedAt: scoreChangeMs < 0 && slowness ? slowness.notedAt : now.toISOString() };
};

export interface SlownessNotes {
  /** Sets `slowness`, or removes a score of 0, in any epoch, unless noted again since `read`. */
  noteSlowness(read: Integration, slowness: Slowness): Promise<void>;
}

export interface SlownessPorts {
  integrations: Pick<IntegrationReader, 'find'>;
  states: Pick<SlownessNotes, 'noteSlowness'>;
  /** Resolves to true once an attempt is slow, to false if it ends before. */
  isSlow: (attempt: Promise<unknown>) => Promise<boolean>;
  now: () => Date;
  /** Uniform in [0, 1). */
  random: () => number;
}

type NoteSlowness = <Attempt>(
  integration: Integration,
  attempt: Promise<Attempt>,
) => Promise<Attempt>;

/**
 * Notes how slow the attempts of one batch are. The first second of slow ones is noted as soon as it is known
 * which are slow, the rest when they end. If the process dies before, the integration stays in its
 * lane.
 */
export const buildNoteSlowness = (ports: SlownessPorts): NoteSlowness => {
  const isSampled = ports.random() * SAMPLED_BATCHES < 1;
  const ofFastMs = isSampled ? -FAST_ATTEMPT_MS * SAMPLED_BATCHES : 0;
  const note = buildNote(ports);
  const noteBeginning = buildNoteTogether(note);
  const noteRest = buildNoteTogether(note);
  return async (integration, attempt) => {
    const beganAt = ports.now().getTime();
    const rest = () => ports.now().getTime() - beganAt - SLOW_AFTER_MS;
    const isSlow = ports.isSlow(attempt);
    const beginning = isSlow.then((slow) => (slow ? SLOW_AFTER_MS : ofFastMs));
    const ending = isSlow.then((slow) => (slow ? attempt.then(rest, rest) : 0));
    const noting = Promise.all([
      noteBeginning(integration, beginning),
      noteRest(integration, ending),
    ]);
    const [made] = await Promise.all([attempt, noting.catch(() => {})]);
    return made;
  };
};

type Note = (read: Integration, ms: number) => Promise<void>;

/** Notes the sum of an integration once it is known of all its attempts. */
const buildNoteTogether = (note: Note) => {
  const sums = new Map<string, { awaited: number; ms: number }>();
  return async (integration: Integration, taken: Promise<number>): Promise<void> => {
    const name = `${integration.account} ${integration.id}`;
    const sum = sums.get(name) ?? { awaited: 0, ms: 0 };
    sums.set(name, sum);
    sum.awaited += 1;
    const ms = await taken;
    sum.ms += ms;
    sum.awaited -= 1;
    if (sum.awaited > 0) return;
    sums.delete(name);
    await note(integration, sum.ms);
  };
};

/** Adds to what other batches noted meanwhile. Of two notes at one instant one is lost. */
const buildNote =
  ({ integrations, states, now }: SlownessPorts): Note =>
  async (read, ms) => {
    if (slownessAfter(read, ms, now()) === undefined) return;
    const stored = await integrations.find(read.account, read.id);
    const slowness = stored && slownessAfter(stored, ms, now());
    if (slowness) await states.noteSlowness(stored, slowness);
  };
