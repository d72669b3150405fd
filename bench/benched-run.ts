import type { Assemble, EmbeddedRunOptions } from '../local/embedded-run.ts';
import type { Endpoints } from '../local/endpoints-file.ts';
import { startSeededRun } from '../local/seeded-run.ts';
import manifest from '../package.json' with { type: 'json' };
import { startChild } from './child.ts';

export type RunSettings = Pick<EmbeddedRunOptions, 'hourSeconds' | 'stateDirectory'>;

/** What a run in a process of its own tells once it is up. */
export interface RunInProcess {
  readonly endpoints: Endpoints;
  readonly outputs: Readonly<Record<string, string>>;
}

/** In bytes. */
export type Memory = Pick<NodeJS.MemoryUsage, 'rss' | 'heapUsed'>;

export interface BenchedRun extends RunInProcess {
  /** Of the run's process. */
  memory(): Promise<Memory>;
  stop(): Promise<void>;
}

const PROCESS = new URL('./service-process.ts', import.meta.url);

/** What `npm start` gives its process: environment variables, and flags of Node. */
const settingsOfStart = () => {
  const words = manifest.scripts.start.split(' ');
  return {
    variables: Object.fromEntries(
      words.filter((w) => /^[A-Z_]+=/.test(w)).map((w) => w.split('=')),
    ),
    flags: words.filter((word) => word.startsWith('--')),
  };
};

/** Starts an embedded run with a customer, in a process of its own like that of `npm start`. */
export const startRunInProcess = async (settings: RunSettings): Promise<BenchedRun> => {
  const { variables, flags } = settingsOfStart();
  const child = await startChild<RunInProcess, object, Memory>(PROCESS, {
    settings,
    env: { ...process.env, ...variables },
    flags,
  });
  return {
    ...child.ready,
    memory: () => child.ask({}),
    stop: async () => child.stop(),
  };
};

/** Starts an embedded run with a customer in the process of the bench, which looks into the run. */
export const startRunWithin = async (
  settings: RunSettings,
  { interceptAws, assemble }: Pick<EmbeddedRunOptions, 'interceptAws'> & { assemble?: Assemble },
): Promise<BenchedRun> => {
  const run = await startSeededRun(
    {
      ...settings,
      apiPort: 0,
      awsPort: 0,
      interceptAws,
      onFunctionFailure: (failure) => console.error('A function failed:', failure),
    },
    assemble,
  );
  return { ...run, memory: async () => process.memoryUsage() };
};
