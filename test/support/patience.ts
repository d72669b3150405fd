import { inspect } from 'node:util';
import { countOf } from './count-of.ts';

/**
 * How long a test waits for what it expects. No test is about how long something takes, and two
 * busy cores make all of it slow: this is only for what never comes.
 */
export const PATIENCE_MS = countOf({ usually: 150_000, long: 600_000 });

/** A test waits for several conditions in turn. It ends with the error of the one that never came. */
export const TEST_TIMEOUT_MS = 4 * PATIENCE_MS;

const MOST_SHOWN = 2_000;

/** What was waited for in vain, and what was there instead. */
export const outOfPatience = (awaited: string, lastSeen: unknown): Error => {
  const seen = inspect(lastSeen, { depth: 6, breakLength: 120, maxArrayLength: 20 });
  return new Error(
    `Waited ${PATIENCE_MS / 1_000} s for: ${awaited}\nLast seen: ${seen.slice(0, MOST_SHOWN)}`,
  );
};
