// An embedded run in a process of its own, so that what a bench sends and receives takes none of the
// run's time. See child.ts.
import { startSeededRun } from '../local/seeded-run.ts';
import type { Memory, RunInProcess, RunSettings } from './benched-run.ts';
import { serveParent, settingsOfChild } from './child.ts';

const { endpoints, outputs } = await startSeededRun({
  ...settingsOfChild<RunSettings>(),
  apiPort: 0,
  awsPort: 0,
  handsOverAwsCalls: true,
  onFunctionFailure: (failure) => console.error('A function failed:', failure),
});
serveParent({ endpoints, outputs } satisfies RunInProcess, (): Memory => process.memoryUsage());
