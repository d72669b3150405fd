import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

export interface FunctionLog {
  write: (line: string) => void;
  close(): Promise<void>;
}

/** Opens the log file of a function and empties it. */
export const openFunctionLog = (directory: string, functionName: string): FunctionLog => {
  const stream = createWriteStream(join(directory, `${functionName}.log`));
  // A full disk must not end the run.
  stream.on('error', () => {});
  return {
    write: (line) => stream.write(`${line}\n`),
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  };
};
