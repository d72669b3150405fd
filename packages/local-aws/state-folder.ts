import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Node's own `recursive` never ends where the system refuses a folder with ENOENT, as in /proc. */
export const makeFolder = async (path: string): Promise<void> => {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path));
  await mkdir(path).catch((fault) => {
    if (fault.code !== 'EEXIST') throw fault;
  });
};

const LOCK_FILE = 'run.lock';

/** SQLite's code for a lock that another connection holds, in this process or another. */
const SQLITE_BUSY = 5;

/** Throws when another run has the folder. The lock is SQLite's, and ends with the process. */
export const takeFolder = async (stateDirectory: string, instead: string): Promise<() => void> => {
  await makeFolder(stateDirectory);
  const lock = new DatabaseSync(join(stateDirectory, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (fault) {
    lock.close();
    if (!isBusy(fault)) throw fault;
    throw new Error(
      `Another run uses the folder ${relative('', stateDirectory) || '.'}: stop that run, or ${instead}.`,
    );
  }
  return () => lock.close();
};

const isBusy = (fault: unknown): boolean =>
  fault instanceof Error && 'errcode' in fault && fault.errcode === SQLITE_BUSY;

/** Writes text with tokens: for the owner alone, and never half written. */
export const writeForOwner = async (file: string, text: string): Promise<void> => {
  await makeFolder(dirname(file));
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, file);
};

/** Removes the file, unless a later run has written another text to it. */
export const removeForOwner = async (file: string, text: string): Promise<void> => {
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === text) await rm(file, { force: true });
};
