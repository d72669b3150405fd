import { openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the log file of a function, empty. Returns its path. */
export const emptyLogFile = (directory: string, functionName: string): string => {
  const file = join(directory, `${functionName}.log`);
  writeFileSync(file, '');
  return file;
};

/**
 * Has what this thread prints appended to a file. By itself a worker thread hands each line to the
 * main thread, which costs both threads more than the line.
 */
export const printTo = (file: string): void => {
  const log = openSync(file, 'a');
  const append = (chunk: string | Uint8Array): boolean => {
    try {
      writeSync(log, String(chunk));
    } catch {
      // A full disk must not end the run.
    }
    return true;
  };
  process.stdout.write = append;
  process.stderr.write = append;
};
