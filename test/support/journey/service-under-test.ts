import { readFile, rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import type { Endpoints } from '../../../local/endpoints-file.ts';
import { startSeededRun } from '../../../local/seeded-run.ts';
import { setVisibility } from './queue-visibility.ts';
import { secretsFileIn } from './secrets-used.ts';

declare module 'vitest' {
  interface ProvidedContext {
    service: Endpoints;
    /** What the embedded run told of its functions' failures and logs; undefined for a service elsewhere. */
    stateDirectory: string | undefined;
  }
}

const STATE_DIRECTORY = '.local/journey';

/** Of the runs whose logs are searched for secrets afterwards: this one, and the one that crashes. */
export const LOGGED_RUNS = [STATE_DIRECTORY, `${STATE_DIRECTORY}-crashing`] as const;

/** Of the Scheduler's hour. Tests wait for it; and what they do must be done before it is over. */
export const HOUR_SECONDS = 5;

/**
 * Longer than any function of a queue may take, so that nothing is worked on twice at a time. On a
 * machine that is busy enough a call of a function times out, and what it was about comes back.
 */
export const VISIBILITY_SECONDS = 65;

/** The service that the journey tests talk to: one that runs elsewhere, or an embedded run of their own. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const file = process.env.SERVICE_ENDPOINTS;
  if (file !== undefined) {
    project.provide('service', JSON.parse(await readFile(file, 'utf8')));
    project.provide('stateDirectory', undefined);
    return async () => {};
  }
  await Promise.all(LOGGED_RUNS.map((directory) => rm(secretsFileIn(directory), { force: true })));
  const run = await startSeededRun({
    apiPort: 0,
    awsPort: 0,
    stateDirectory: STATE_DIRECTORY,
    hourSeconds: HOUR_SECONDS,
    onFunctionFailure: (failure) => console.error('A function failed:', failure),
  });
  await setVisibility(run, VISIBILITY_SECONDS);
  project.provide('service', run.endpoints);
  project.provide('stateDirectory', STATE_DIRECTORY);
  return () => run.stop();
};
