import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';

/**
 * Writes text with tokens: only the owner may read the file, and nobody sees a half-written file.
 */
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
