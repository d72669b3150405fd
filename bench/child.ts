import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** A process of its own. It sends one message when it is ready, and one for each request. */
export interface Child<Ready, Request, Reply> {
  readonly ready: Ready;
  ask(request: Request): Promise<Reply>;
  stop(): void;
}

interface ChildOptions {
  readonly settings: unknown;
  /** Its environment variables, and no others. */
  readonly env?: NodeJS.ProcessEnv;
  /** Replaces Node, and takes the same arguments. */
  readonly execPath?: string;
  readonly cwd?: string;
}

/** Node with the flags and the environment variables of `npm start`, in a folder with the code. */
export const localRunIn = (tree: string) => ({
  env: process.env,
  execPath: resolve(tree, 'local/run.sh'),
  cwd: tree,
});

/** Starts a program. What its process prints is read and thrown away. */
export const startChild = async <Ready, Request, Reply>(
  file: URL | string,
  { settings, env = {}, execPath = process.execPath, cwd }: ChildOptions,
): Promise<Child<Ready, Request & object, Reply>> => {
  const child = fork(file, [JSON.stringify(settings)], {
    env,
    execPath,
    ...(cwd !== undefined && { cwd }),
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.resume();
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process of ${file} ended with code ${code}.`);
  });
  ended.catch(() => {});
  const message = async (): Promise<unknown> => {
    const [received] = await Promise.race([once(child, 'message'), ended]);
    return received;
  };
  return {
    ready: (await message()) as Ready,
    ask: async (request) => {
      const reply = message();
      child.send(request);
      return (await reply) as Reply;
    },
    stop: () => child.kill(),
  };
};

/** In the child: what `startChild` was given. */
export const settingsOfChild = <Settings>(): Settings => JSON.parse(process.argv[2] ?? '');

/** In the child: says that it is ready, answers each request, and ends with its parent. */
export const serveParent = <Request, Reply extends object>(
  ready: object,
  answer: (request: Request) => Promise<Reply> | Reply,
): void => {
  process.once('disconnect', () => process.exit());
  process.on('message', async (request) => process.send?.(await answer(request as Request)));
  process.send?.(ready);
};
