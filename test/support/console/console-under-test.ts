import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { startRun } from '../journey/started-run.ts';
import { SCREENS } from './screens.ts';

const STATE_DIRECTORY = '.local/console';

/** `npm start` with the console, or what the environment says runs elsewhere. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  await rm(SCREENS, { recursive: true, force: true });
  const elsewhere = process.env.SERVICE_ENDPOINTS;
  const run = elsewhere === undefined ? await startRun(STATE_DIRECTORY) : undefined;
  const file = elsewhere ?? `${STATE_DIRECTORY}/endpoints.json`;
  project.provide('service', JSON.parse(await readFile(file, 'utf8')));
  return async () => {
    if (run === undefined || run.process.exitCode !== null) return;
    run.process.kill('SIGTERM');
    await once(run.process, 'exit');
  };
};
