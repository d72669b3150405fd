import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessMade } from './access-guard.ts';

export const accessLogIn = (stateDirectory: string): string => join(stateDirectory, 'access.jsonl');

/**
 * Empties the file of a run, and returns a function that adds a line to the file. There are some
 * hundred lines at most, most of them as the run begins.
 */
export const createAccessLog = (stateDirectory: string): ((made: AccessMade) => void) => {
  const file = accessLogIn(stateDirectory);
  writeFileSync(file, '');
  return (made) => appendFileSync(file, `${JSON.stringify(made)}\n`);
};
