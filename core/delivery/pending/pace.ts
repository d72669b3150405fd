import { ASKING_TO_WAIT, speaksOfRequest } from '../attempt.ts';
import type { Delivery } from '../delivery.ts';
import type { DeliveryLog, LogReading } from '../delivery-log.ts';
import type { Pace, ReplayRequest, Sampled } from './replay-requests.ts';

export interface PacePorts {
  deliveryLog: Pick<DeliveryLog, 'read'>;
  now: () => Date;
  pause: (milliseconds: number) => Promise<void>;
}

const START: Pace = { size: 1, usual: { answers: 0, refused: 0 }, sampled: [] };

const GROWTH = 3;
/** After a step without any success, which is not because of the pace. */
const BLIND_GROWTH = 10;
const MOST_OF_STEP = 10_000;
const SHRINKAGE = 4;
/** A slowed pace grows by a quarter each minute. */
const SLOW_GROWTH = 1.25;
const SLOW_GROWTH_EVERY_MS = 60_000;
/** A greater share of answers that ask to slow down shows that the pace is too fast. */
const ASKED_SHARE = 1 / 6;
/** How many standard deviations more refusals than usual are not by chance. */
const DEVIATIONS = 2.5;
/** Of a step, spread evenly: bounds what is read of the log, and the size of a request. */
const SAMPLES = 16;
/** The next step need not wait for the last of the step before. */
const UNANSWERED_SHARE = 1 / 4;
const READ_AT_ONCE = 8;
const LOOK_EVERY_MS = 50;
/** Looks of a run, in all and without an answer: all customers share the concurrency of runs. */
const MOST_LOOKS = 200;
const MOST_IDLE_LOOKS = 20;
/** For an endpoint that was sent too much. */
const REST_MS = 2_500;
/** Of a rest, after a step that was not too fast: five halve it, see `ASKED_SHARE`. */
const REST_SHRINKAGE = 0.87;
/** By then an attempt of an endpoint that does not answer is over, in the slow lane too. */
const ANSWERED_AFTER_MS = 20_000;

/**
 * Finds the pace that an endpoint bears, for a replay and a recovery. The first step is one delivery.
 * A step is judged as a whole, by a sample: the next one is larger, or smaller if the endpoint asks
 * to slow down, or confirms less than it usually does and not by chance. Once it was smaller, the
 * pace hardly grows: new deliveries need room, too.
 */
export const createPace = (
  { deliveryLog, now, pause }: PacePorts,
  {
    id: integration,
    pace: given = START,
    notBefore,
  }: Pick<ReplayRequest, 'id' | 'pace' | 'notBefore'>,
) => {
  let { size, usual, slowedAt, restMs = 0 } = given;
  let sampled: readonly Sampled[] = given.sampled;
  let [left, looks, idleLooks] = [0, 0, 0];
  /** Whether there is a step to judge. */
  let isBegun = given !== START;
  let answers: LogReading[] = [];
  let confirmedAt: string | undefined;
  // The run before waited for the answers: the attempts are over, recorded or not.
  let isOverdue = notBefore !== undefined;

  const judge = async (): Promise<void> => {
    const unconfirmed = answers.filter(({ logged }) => logged !== 'delivered');
    // An answer that speaks of the request says nothing of the pace.
    const refused = unconfirmed.filter((one) => !speaksOfRequest(statusOf(one)));
    const asking = refused.filter((one) => ASKING_TO_WAIT.has(statusOf(one)));
    const hasSuccess = answers.length === 0 || unconfirmed.length < answers.length;
    const isTooFast =
      asking.length > ASKED_SHARE * answers.length ||
      (size > 1 && refused.length > mostByChance(usual, answers.length));
    const nowMs = now().getTime();
    if (isTooFast) {
      size = Math.max(1, Math.floor(size / SHRINKAGE));
      restMs = REST_MS;
      slowedAt = new Date(nowMs).toISOString();
    } else {
      restMs = restMs > LOOK_EVERY_MS ? Math.floor(restMs * REST_SHRINKAGE) : 0;
      usual = {
        answers: usual.answers + answers.length,
        refused: usual.refused + refused.length,
      };
      // A single delivery is not refused because of the pace.
      if (size === 1 && refused.length > 0) slowedAt = undefined;
      if (slowedAt === undefined) {
        size = Math.min(MOST_OF_STEP, size * (hasSuccess ? GROWTH : BLIND_GROWTH));
      } else if (nowMs - Date.parse(slowedAt) >= SLOW_GROWTH_EVERY_MS) {
        size = Math.min(MOST_OF_STEP, Math.ceil(size * SLOW_GROWTH));
        slowedAt = new Date(nowMs).toISOString();
      }
    }
    if (restMs > 0 || !hasSuccess) await pause(restMs || REST_MS);
    // What is still to be answered was sent at the former pace.
    if (isTooFast) sampled = [];
    answers = [];
  };

  /** Without the log, the replay goes on. */
  const look = async (): Promise<void> => {
    const looked = sampled.slice(0, READ_AT_ONCE);
    const deliveries = looked.map(({ event }) => ({ integration, event }));
    const read = await deliveryLog.read(deliveries).catch(() => undefined);
    const answered = new Map(
      looked.flatMap((one, index) => {
        const reading = read?.[index];
        return reading && !(reading instanceof Error) && isAnswered(reading, one)
          ? [[one, reading] as const]
          : [];
      }),
    );
    looks += 1;
    idleLooks = answered.size > 0 ? 0 : idleLooks + 1;
    answers.push(...answered.values());
    for (const { latestAttempt: latest } of answered.values()) {
      const isLater = latest !== undefined && latest.startedAt > (confirmedAt ?? '');
      if (isLater && latest.outcome === 'delivered') confirmedAt = latest.startedAt;
    }
    sampled = read === undefined ? [] : sampled.filter((one) => !answered.has(one));
    if (answered.size < looked.length) await pause(LOOK_EVERY_MS);
  };

  return {
    /** How many deliveries may be enqueued; none before it is known how the step went. */
    allowed: async (): Promise<number> => {
      if (left > 0) return left;
      if (sampled.length > Math.floor(Math.min(size, SAMPLES) * UNANSWERED_SHARE)) {
        await look();
        if (isOverdue && idleLooks > 0) [sampled, idleLooks] = [[], 0];
        return 0;
      }
      if (isBegun) await judge();
      [left, isBegun, isOverdue] = [size, true, false];
      return left;
    },
    enqueued: (deliveries: readonly Delivery[]): void => {
      const every = Math.ceil(size / SAMPLES);
      // A resend may have been delivered before: its log does not show when it is answered.
      const chosen = deliveries.filter(
        ({ trigger }, index) => trigger !== 'manual' && (left - index) % every === 0,
      );
      left -= deliveries.length;
      sampled = [
        ...sampled,
        ...chosen.map(({ event, priorAttempts }) => ({ event, priorAttempts })),
      ];
    },
    /** When the latest attempt of this run began that was confirmed, if one is known. RFC 3339. */
    confirmedAt: (): string | undefined => confirmedAt,
    hasPatience: (): boolean => looks < MOST_LOOKS && idleLooks < MOST_IDLE_LOOKS,
    /** What the next run must know, and when it may begin. */
    next: (): { pace?: Pace; notBefore?: Date } => ({
      ...(isBegun && { pace: { size, usual, slowedAt, restMs: restMs || undefined, sampled } }),
      ...(idleLooks > 0 && { notBefore: new Date(now().getTime() + ANSWERED_AFTER_MS) }),
    }),
  };
};

/** Of a step with so many answers, by what the steps showed that were not too fast. */
const mostByChance = ({ answers, refused }: Pace['usual'], count: number): number => {
  const share = (refused + 1) / (answers + 2);
  return share * count + DEVIATIONS * Math.sqrt(share * (1 - share) * count);
};

const isAnswered = ({ logged, latestAttempt }: LogReading, { priorAttempts }: Sampled): boolean =>
  logged === 'delivered' || (latestAttempt?.number ?? 0) > priorAttempts;

const statusOf = ({ latestAttempt }: LogReading) => latestAttempt?.statusCode;
