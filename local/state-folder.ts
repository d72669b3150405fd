import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Makes a folder and the folders above it, where they are missing. Node's own `recursive` never
 * ends where the system refuses a folder with ENOENT, as below /proc.
 */
export const makeFolder = async (path: string): Promise<void> => {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path));
  await mkdir(path).catch((fault) => {
    if (fault.code !== 'EEXIST') throw fault;
  });
};

const LOCK_FILE = 'run.lock';

/** SQLite's code for a lock that another connection holds, in this process or another. */
const SQLITE_BUSY = 5;

/**
 * Takes a state directory for this process, until the process ends or the result is called. Throws
 * when another run has the directory: both would write the same endpoints.json, assembly and logs.
 * SQLite has the operating system hold the lock, as Node locks no files: a run that was killed
 * leaves a file, and no lock.
 *
 * @param instead what else the user can do, for the error
 */
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
