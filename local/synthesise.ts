import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ConsoleAddresses } from './console/sign-in-addresses.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

export interface SynthesisOptions {
  /** How many seconds an hour of the Scheduler lasts; the functions need to know. */
  hourSeconds: number;
  /** Absent when the run has no console. Then no user can sign in, and no page may call the API. */
  console?: ConsoleAddresses | undefined;
  signal: AbortSignal;
}

/** Runs `bin/app.ts` for stage `local`, in another process: bundling takes seconds of CPU. */
export const synthesise = async (
  outputDirectory: string,
  { console: addresses, hourSeconds, signal }: SynthesisOptions,
): Promise<void> => {
  const context = {
    stage: 'local',
    hourSeconds,
    ...(addresses && contextOfConsole(addresses)),
  };
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
        // The CDK's look at the templates takes as long as all else; who deploys has it.
        CDK_VALIDATION: 'false',
      },
    });
  } catch (error) {
    const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new Error(`bin/app.ts cannot be synthesised: ${stderr || error}`);
  }
};

const contextOfConsole = ({ origin, signIn }: ConsoleAddresses): Record<string, string> => ({
  consoleOrigin: origin,
  signInIssuer: signIn.issuer,
  signInClientId: signIn.clientId,
  signInJwksUri: signIn.jwksUri,
});
