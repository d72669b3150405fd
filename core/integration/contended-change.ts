import { Refusal } from '../refusal.ts';

/**
 * Tries of a change before its caller is told to come back. With the longest pauses nine tries take
 * 6.4 seconds, which leaves a function of the API enough of its ten seconds to read and write.
 */
const MAX_TRIES = 9;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_600;

/** Waits after so many tries that lost. */
export type Pause = (lostTries: number) => Promise<void>;

/**
 * A pause of any length up to a limit that doubles with each lost try: changes that met once do not
 * meet again.
 */
export const buildPause =
  (ports: {
    /** Uniform in [0, 1). */
    random: () => number;
    sleep: (milliseconds: number) => Promise<void>;
  }): Pause =>
  (lostTries) =>
    ports.sleep(ports.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (lostTries - 1)));

/**
 * Tries a change until it is made. A try returns undefined when it lost: another change was made
 * between its reading and its writing. Throws a `conflict` refusal when too many tries lost.
 */
export const untilMade = async <Made>(
  tryOnce: () => Promise<Made | undefined>,
  pause: Pause,
): Promise<Made> => {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const made = await tryOnce();
    if (made !== undefined) return made;
    if (tries < MAX_TRIES) await pause(tries);
  }
  throw new Refusal(
    'conflict',
    'Other changes of the integration were made at the same time. Try again in a second.',
  );
};
