// An embedded run in a process of its own, so that the bench's own work takes none of the run's CPU
// time. See child.ts.
import type { LocalAwsOptions } from 'local-aws/local-aws.ts';
import { type SeededRun, startSeededRun } from '../local/seeded-run.ts';
import { serveParent, settingsOfChild } from './child.ts';

export type RunSettings = Pick<LocalAwsOptions, 'hourSeconds' | 'stateDirectory'>;

/** The parts of the run that its parent process needs. */
export type RunInProcess = Pick<SeededRun, 'endpoints' | 'outputs'>;

const { endpoints, outputs } = await startSeededRun({
  ...settingsOfChild<RunSettings>(),
  apiPort: 0,
  awsPort: 0,
  handsOverAwsCalls: true,
  onFunctionFailure: (failure) => console.error('A function failed:', failure),
});
serveParent({ endpoints, outputs } satisfies RunInProcess, () => process.cpuUsage());
