import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sum } from './item-size.ts';
import { type Invocation, METERED_DIRECTORY } from './metered-stage.ts';

/** The invocations of a function, and its log. */
export interface FunctionLog {
  readonly name: string;
  readonly invocations: readonly Invocation[];
  /** Of the function's own lines. */
  readonly bytes: number;
}

const DIRECTORY = join(METERED_DIRECTORY, 'logs');

/** Returns a function that reads the log lines since now. */
export const watchLogs = async (): Promise<() => Promise<readonly FunctionLog[]>> => {
  const before = new Map((await readLogs()).map(({ file, text }) => [file, text.length]));
  return async () =>
    (await readLogs()).flatMap(({ file, text }) => {
      const lines = text.slice(before.get(file) ?? 0).split('\n');
      const isInvocation = (line: string) => line.startsWith('{"invocationOf":');
      const invocations: Invocation[] = lines.filter(isInvocation).map((line) => JSON.parse(line));
      const [first] = invocations;
      const own = lines.filter((line) => line !== '' && !isInvocation(line));
      const bytes = sum(own.map((line) => Buffer.byteLength(line)));
      return first ? [{ name: first.invocationOf, invocations, bytes }] : [];
    });
};

const readLogs = async () => {
  const files = await readdir(DIRECTORY);
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(DIRECTORY, file), 'utf8') })),
  );
};
