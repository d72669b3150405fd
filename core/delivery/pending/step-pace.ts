import type { LogReading } from '../delivery-log.ts';
import type { Pace } from './replay-requests.ts';

/** What is usual of an endpoint is not learned from a burst: it begins as if so many were confirmed. */
const USUAL = { answers: 20, refused: 0 };

export const FIRST_STEP: Pace = { size: 1, left: 1, usual: USUAL, sampled: [] };

/** For events that were refused before: at first one after another, so that none keeps off another. */
export const slowFrom = (now: Date): Pace => ({ ...FIRST_STEP, slowedAt: now.toISOString() });

const GROWTH = 3;
const MOST_OF_STEP = 10_000;
const SHRINKAGE = 4;
/** A slowed pace grows by a quarter each minute. */
const SLOW_GROWTH = 1.25;
const SLOW_GROWTH_EVERY_MS = 60_000;
/** A greater share of answers that ask to slow down shows that the pace is too fast. */
const ASKED_SHARE = 1 / 6;
/** How many standard deviations more refusals than usual are not by chance. */
const DEVIATIONS = 2.5;
/** For an endpoint that was sent too much. */
const REST_MS = 2_500;
/** Of a rest, after a step that was not too fast: five halve it, see `ASKED_SHARE`. */
const REST_SHRINKAGE = 0.87;
const SHORTEST_REST_MS = 50;

/** Request Timeout, Too Early, Too Many Requests, Service Unavailable. */
const ASKS_TO_WAIT: ReadonlySet<number | undefined> = new Set([408, 425, 429, 503]);
/** They speak of the body alone. With any other error an endpoint may say that it is busy. */
const SPEAKS_OF_BODY: ReadonlySet<number | undefined> = new Set([400, 406, 413, 414, 415, 422]);

/**
 * Judges a step as a whole, by the outcomes of its samples. The next one is larger, or smaller if the
 * endpoint asks to slow down, or confirms less than it usually does and not by chance. Once it was
 * smaller, the pace hardly grows: new deliveries need room, too. Until the first confirmation, events
 * without an answer say nothing: they may stand before those that are confirmed. `restMs`: before the
 * next step.
 */
export const paceAfter = (
  pace: Pace,
  answers: readonly LogReading[],
  now: Date,
): { readonly pace: Pace; readonly restMs: number } => {
  const unconfirmed = answers.filter(({ logged }) => logged !== 'delivered');
  const hasSuccess = answers.length === 0 || unconfirmed.length < answers.length;
  const isKnown = hasSuccess || isConfirming(pace.usual);
  const against = unconfirmed.filter(
    (one) => !SPEAKS_OF_BODY.has(statusOf(one)) && (isKnown || isAnswered(one)),
  );
  const asking = against.filter((one) => ASKS_TO_WAIT.has(statusOf(one)));
  const isTooFast =
    asking.length > ASKED_SHARE * answers.length ||
    (pace.size > 1 && against.length > mostByChance(pace.usual, answers.length));
  if (isTooFast) return { pace: slower(pace, now), restMs: REST_MS };
  const counted = { answers: answers.length, refused: against.length };
  const next = faster(pace, { ...counted, hasSuccess, now });
  return { pace: next, restMs: next.restMs ?? (hasSuccess ? 0 : REST_MS) };
};

/** Whether it has confirmed more than was assumed at first. */
const isConfirming = ({ answers, refused }: Pace['usual']): boolean =>
  answers - refused > USUAL.answers;

const isAnswered = ({ latestAttempt }: LogReading): boolean => latestAttempt?.outcome === 'fatal';

const slower = ({ size, usual }: Pace, now: Date): Pace => {
  const smaller = Math.max(1, Math.floor(size / SHRINKAGE));
  return {
    ...{ size: smaller, left: smaller, usual },
    slowedAt: now.toISOString(),
    restMs: REST_MS,
    // What is still to be answered was sent at the former pace.
    sampled: [],
  };
};

const faster = (
  { size, usual, slowedAt, restMs = 0, sampled }: Pace,
  step: { answers: number; refused: number; hasSuccess: boolean; now: Date },
): Pace => {
  // A single delivery is not refused because of the pace.
  const isSlowed = slowedAt !== undefined && !(size === 1 && step.refused > 0);
  const isDue = isSlowed && step.now.getTime() - Date.parse(slowedAt) >= SLOW_GROWTH_EVERY_MS;
  const growth = isSlowed ? (isDue ? SLOW_GROWTH : 1) : growthAfter(step, usual);
  const larger = Math.min(MOST_OF_STEP, Math.ceil(size * growth));
  return {
    ...{ size: larger, left: larger, sampled },
    usual: {
      answers: usual.answers + (step.hasSuccess ? step.answers : step.refused),
      refused: usual.refused + step.refused,
    },
    slowedAt: isDue ? step.now.toISOString() : isSlowed ? slowedAt : undefined,
    restMs: restMs > SHORTEST_REST_MS ? Math.floor(restMs * REST_SHRINKAGE) : undefined,
  };
};

/** While nothing was confirmed it grows, too: that is not because of the pace. */
const growthAfter = (step: { hasSuccess: boolean; refused: number }, usual: Pace['usual']) =>
  !step.hasSuccess && isConfirming(usual) && step.refused > 0 ? 1 : GROWTH;

/** Of a step with so many answers, by what the steps showed that were not too fast. */
const mostByChance = ({ answers, refused }: Pace['usual'], count: number): number => {
  const share = (refused + 1) / (answers + 2);
  return share * count + DEVIATIONS * Math.sqrt(share * (1 - share) * count);
};

const statusOf = ({ latestAttempt }: LogReading) => latestAttempt?.statusCode;
