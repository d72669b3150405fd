import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from './make-folder.ts';

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
