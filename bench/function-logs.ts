import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STATE_DIRECTORY } from './service.ts';

/** The lines with a log event of this name that the functions of the latest run have written. */
export const logged = async (name: string): Promise<Record<string, unknown>[]> => {
  const directory = join(STATE_DIRECTORY, 'logs');
  const files = await readdir(directory);
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes(`"message":"${name}"`))
    .map((line) => JSON.parse(line));
};
