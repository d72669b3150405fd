import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** For text with tokens: only the owner reads the file, which appears whole. */
export const writeForOwner = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, file);
};

/** Leaves the file alone when a later run has written another text. */
export const removeForOwner = async (file: string, text: string): Promise<void> => {
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === text) await rm(file, { force: true });
};
