import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface CdkApp {
  /** The program of the app, from its project's folder. */
  file: string;
  project: string;
  context: Readonly<Record<string, unknown>>;
}

/** Runs a CDK app in another process: bundling takes seconds of CPU. */
export const synthesise = async (
  outputDirectory: string,
  { file, project, context }: CdkApp,
  signal: AbortSignal,
): Promise<void> => {
  try {
    await promisify(execFile)(process.execPath, [file], {
      cwd: project,
      signal,
      maxBuffer: 64 * 1024 * 1024,
      env: {
        ...process.env,
        CDK_OUTDIR: outputDirectory,
        CDK_CONTEXT_JSON: JSON.stringify(context),
        CDK_DISABLE_CLI_TELEMETRY: '1',
        // The CDK's look at the templates takes as long as all else; who deploys has it.
        CDK_VALIDATION: 'false',
      },
    });
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(`${file} cannot be synthesised: ${stderr || error}`);
  }
};
