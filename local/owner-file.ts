import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** For what holds tokens: its owner alone reads it. It appears whole, for those who wait for it. */
export const writeForOwner = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, file);
};
