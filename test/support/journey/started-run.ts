import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export interface StartedRun {
  readonly process: ChildProcess;
  /** What it printed until it was ready. */
  readonly output: string;
}

/** `npm start` on free ports, once it is ready. */
export const startRun = async (
  stateDirectory: string,
  ...options: readonly string[]
): Promise<StartedRun> => {
  await rm(stateDirectory, { recursive: true, force: true });
  const ports = ['--port', '--aws-port', '--console-port', '--playground-port'];
  const child = spawn(
    process.execPath,
    [
      'local/start.ts',
      ...ports.flatMap((name) => [name, '0']),
      '--state-directory',
      stateDirectory,
      ...options,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`;
    if (line.startsWith('ready in ')) break;
  }
  return { process: child, output };
};
