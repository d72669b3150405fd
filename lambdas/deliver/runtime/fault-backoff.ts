const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 60_000;

const RECEIVES_OF_A_PASSING_FAULT = 100;
const DELAY_OF_A_LASTING_FAULT_MS = 1_800_000;

/** A part of each delay, up or down: records that failed together do not come back together. */
const JITTER = 0.2;

/** Whether a record has failed for more than an hour: an operator has to act. */
export const isStuck = (receiveCount: number): boolean =>
  receiveCount > RECEIVES_OF_A_PASSING_FAULT;

/**
 * How long a record waits whose processing failed by our fault: seconds after a throttled write,
 * and so long in an outage that a thousand receives take more than the 14 days that SQS keeps a
 * message. `random` is from 0 to 1.
 */
export const faultDelayMs = (receiveCount: number, random: number): number => {
  const delayMs = isStuck(receiveCount)
    ? DELAY_OF_A_LASTING_FAULT_MS
    : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (receiveCount - 1));
  return delayMs * (1 + JITTER * (2 * random - 1));
};
