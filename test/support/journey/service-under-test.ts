import { readFile, rm } from 'node:fs/promises';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { accessLogIn } from 'local-aws/iam/access-guard.ts';
import type { TestProject } from 'vitest/node';
import type { Endpoints } from '../../../local/endpoints-file.ts';
import { type SeededRun, startSeededRun } from '../../../local/seeded-run.ts';
import { awsClientConfigOf } from './platform-of.ts';
import { secretsFileIn } from './secrets-used.ts';
import { assembleWithShortTimes } from './short-times.ts';

declare module 'vitest' {
  interface ProvidedContext {
    service: Endpoints;
    /** Where the embedded run keeps its logs; undefined for a service elsewhere. */
    stateDirectory: string | undefined;
  }
}

/** State directories of the embedded runs whose logs `test/after-journeys` reads, oldest first. */
export const LOGGED_RUNS: readonly string[] = [
  '.local/journey',
  '.local/slow',
  '.local/slow-crashing',
];

/** As long as any: a test that needs the end of an hour ends it. */
export const HOUR_SECONDS = 3_600;

/**
 * Longer than the timeout of any function of a queue, so that no message is processed twice at a
 * time. On a very busy machine a call times out and its messages return to the queue.
 */
export const VISIBILITY_SECONDS = 65;

/** Provides the service that the journeys use: one that runs elsewhere, or a new embedded run. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const file = process.env.SERVICE_ENDPOINTS;
  if (file !== undefined) {
    project.provide('service', JSON.parse(await readFile(file, 'utf8')));
    project.provide('stateDirectory', undefined);
    return async () => {};
  }
  const stateDirectory = `.local/${project.name}`;
  await forgetRunsFrom(stateDirectory);
  const run = await startSeededRun(
    {
      apiPort: 0,
      awsPort: 0,
      stateDirectory,
      hourSeconds: HOUR_SECONDS,
      onFunctionFailure: (failure) => console.error('A function failed:', failure),
    },
    assembleWithShortTimes,
  );
  await setVisibility(run, VISIBILITY_SECONDS);
  project.provide('service', run.endpoints);
  project.provide('stateDirectory', stateDirectory);
  return () => run.stop();
};

/** Removes the logs of earlier runs of these tests, and of tests that run after them. */
const forgetRunsFrom = async (stateDirectory: string): Promise<void> => {
  const from = LOGGED_RUNS.indexOf(stateDirectory);
  const forgotten = from === -1 ? [stateDirectory] : LOGGED_RUNS.slice(from);
  for (const directory of forgotten) {
    await rm(secretsFileIn(directory), { force: true });
    await rm(accessLogIn(directory), { force: true });
  }
};

/** Sets the visibility timeout of all queues, which is minutes by default. */
export const setVisibility = async (
  { endpoints, outputs }: Pick<SeededRun, 'endpoints' | 'outputs'>,
  seconds: number,
): Promise<void> => {
  const client = new SQSClient(awsClientConfigOf(endpoints));
  for (const queue of ['EventsQueueUrl', 'DeliveriesQueueUrl', 'ReplayQueueUrl', 'RetryQueueUrl']) {
    const Attributes = { VisibilityTimeout: String(seconds) };
    await client.send(new SetQueueAttributesCommand({ QueueUrl: outputs[queue], Attributes }));
  }
};
