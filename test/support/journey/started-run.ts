import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import type { StartEndpoints } from '../../../local/demo/guide.ts';
import { createConsoleSignIn } from '../local/console-sign-in.ts';

export interface StartedRun {
  readonly process: ChildProcess;
  /** The output until the run was ready. */
  readonly output: string;
}

const PORT_OPTIONS = [
  '--port',
  '--aws-port',
  '--console-port',
  '--platform-port',
  '--playground-port',
];

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

const integrationsSchema = z.object({
  member: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      config: z.object({ baseUrl: z.string() }),
      failure: z.object({ statusCode: z.number() }).optional(),
    }),
  ),
});

/** Signs in to the console as one of its users, and calls the API as a page of the console does. */
export const signInToConsole = async (
  { api, console: origin, consoleUsers }: StartEndpoints,
  username: string,
) => {
  const user = consoleUsers.find((candidate) => candidate.username === username);
  if (user === undefined) throw new Error(`There is no user ${username}.`);
  const { access_token: token } = await createConsoleSignIn(origin).signIn(user);
  const headers = { Authorization: `Bearer ${token}`, Origin: origin };
  const call = (path: string, method = 'GET') => fetch(api + path, { method, headers });
  return {
    call,
    integrations: async () => {
      const response = await call('/acme/integrations');
      return integrationsSchema.parse(await response.json()).member;
    },
  };
};
