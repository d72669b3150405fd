import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

export interface SynthesisOptions {
  /** How long an hour of the Scheduler lasts: the functions reckon with it. */
  hourSeconds: number;
  signal: AbortSignal;
}

/**
 * Runs `bin/app.ts` for the local stage into a cloud assembly, in a process of its own:
 * bundling takes seconds of CPU, and the rest of the start goes on beside it.
 */
export const synthesise = async (
  outputDirectory: string,
  { hourSeconds, signal }: SynthesisOptions,
): Promise<void> => {
  const context = { ...(await contextOfProject()), stage: 'local', hourSeconds };
  try {
    await promisify(execFile)(process.execPath, ['bin/app.ts'], {
      cwd: PROJECT,
      signal,
      maxBuffer: 64 * 1024 * 1024,
      env: {
        ...process.env,
        CDK_OUTDIR: outputDirectory,
        CDK_CONTEXT_JSON: JSON.stringify(context),
        CDK_DISABLE_CLI_TELEMETRY: '1',
      },
    });
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(`bin/app.ts cannot be synthesised: ${stderr || error}`);
  }
};

/** What the CDK command line would pass on from cdk.json: mostly feature flags. */
const contextOfProject = async (): Promise<Record<string, unknown>> => {
  const { context = {} } = JSON.parse(await readFile(`${PROJECT}/cdk.json`, 'utf8'));
  return context;
};
