import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const CHARACTERS_SHOWN = 4_000;

export const endOf = (output: string): string => output.slice(-CHARACTERS_SHOWN);

/** The environment of this process without what vitest has set, which frameworks heed. */
const environment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(VITEST.*|NODE_ENV|TEST|DEV|PROD|MODE|SSR|BASE_URL)$/.test(name),
    ),
  );

/** The leaders of the process groups that run. */
const running = new Set<ChildProcess>();

/** Starts a shell command as the leader of a process group, which ends with this process. */
export const startInShell = (
  command: string,
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
) => {
  const child = spawn(command, {
    cwd,
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment(), ...env },
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
};

/** Signals a whole process group. */
export const signal = ({ pid = 0 }: ChildProcess, name: NodeJS.Signals): void => {
  try {
    process.kill(-pid, name);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
  }
};

/** A worker of vitest hears only from the channel that vitest was ended. */
for (const end of ['exit', 'disconnect']) {
  process.once(end, () => {
    for (const child of running) signal(child, 'SIGKILL');
  });
}

/**
 * Runs a command to its end, and returns its output. Throws with the end of its output if it fails
 * or takes too long.
 */
export const runInShell = async (
  command: string,
  { timeoutMs, ...options }: { cwd: string; timeoutMs: number; env?: Record<string, string> },
): Promise<string> => {
  const child = startInShell(command, options);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const timer = setTimeout(() => signal(child, 'SIGKILL'), timeoutMs);
  const [code, killedBy] = await once(child, 'close');
  clearTimeout(timer);
  if (code === 0) return output;
  throw new Error(`\`${command}\` ended with ${killedBy ?? code}:\n${endOf(output)}`);
};

/** The first command that cannot be run here, as it would be typed. */
export const missingTool = async (
  toolchain: readonly (readonly string[])[],
): Promise<string | undefined> => {
  for (const [file = '', ...args] of toolchain) {
    const isThere = await promisify(execFile)(file, args).then(
      () => true,
      () => false,
    );
    if (!isThere) return [file, ...args].join(' ');
  }
  return undefined;
};
