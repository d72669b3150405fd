import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

export interface StartedRun {
  readonly process: ChildProcess;
  /** The output until the run was ready. */
  readonly output: string;
}

const PORT_OPTIONS = ['--port', '--aws-port', '--console-port', '--playground-port'];

/** `npm start` on free ports, once it is ready. */
export const startRun = async (stateDirectory: string): Promise<StartedRun> => {
  await rm(stateDirectory, { recursive: true, force: true });
  const child = spawnRun(stateDirectory);
  child.stderr.pipe(process.stderr);
  let output = '';
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`;
    if (line.startsWith('ready in ')) break;
  }
  return { process: child, output };
};

/** `npm start` with options that keep it from starting, once it has ended. */
export const startInVain = async (stateDirectory: string, ...options: readonly string[]) => {
  const child = spawnRun(stateDirectory, options);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, output, errors };
};

const spawnRun = (stateDirectory: string, options: readonly string[] = []) => {
  // The last one of repeated options counts.
  const freePorts = PORT_OPTIONS.flatMap((option) => [option, '0']);
  return spawn(
    process.execPath,
    ['local/start.ts', ...freePorts, '--state-directory', stateDirectory, ...options],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
};
