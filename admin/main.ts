import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { newEventId } from '../adapters/crypto/random-ids.ts';
import { AdministrationError } from '../core/refusal.ts';
import { endpointsFile, readEndpoints } from '../local/endpoints-file.ts';
import type { CommandProcess } from './command.ts';
import { runCommandLine } from './command-line.ts';
import { connect } from './connection.ts';
import { chooseTarget } from './target.ts';

const readText: CommandProcess['readText'] = async (path, { isRepaired = false } = {}) => {
  try {
    const bytes = path === '-' ? await buffer(process.stdin) : await readFile(path);
    return new TextDecoder('utf-8', { fatal: !isRepaired }).decode(bytes);
  } catch (fault) {
    const reason = isErrno(fault) ? fault.code : 'it is not UTF-8 text';
    throw new AdministrationError(
      `Cannot read ${path === '-' ? 'the standard input' : path} (${reason}).`,
    );
  }
};

const confirm = async (question: string): Promise<boolean> => {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} (yes/no) `)).trim());
  } finally {
    terminal.close();
  }
};

const isErrno = (fault: unknown): fault is NodeJS.ErrnoException =>
  fault instanceof Error && 'syscall' in fault;

// The reader of a pipe, such as `head`, may have read enough.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code !== 'EPIPE') throw fault;
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  connect: async ({ stage, stateDirectory }) => {
    const run = await readEndpoints(endpointsFile(stateDirectory));
    return connect(chooseTarget(stage, process.env, run));
  },
  readText,
  confirm,
  newEventId,
  now: () => new Date(),
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
