import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and the folders above it, where they are missing. Node's own `recursive` never
 * ends where the system refuses a folder with ENOENT, as below /proc.
 */
export const makeFolder = async (path: string): Promise<void> => {
  if ((await made(path)) || dirname(path) === path) return;
  await makeFolder(dirname(path));
  await mkdirUnlessThere(path);
};

/** Resolves to false when a folder above is missing. */
const made = async (path: string): Promise<boolean> => {
  try {
    await mkdirUnlessThere(path);
    return true;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return false;
    throw fault;
  }
};

const mkdirUnlessThere = async (path: string): Promise<void> => {
  try {
    await mkdir(path);
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault;
  }
};

const codeOf = (fault: unknown): unknown =>
  fault instanceof Error && 'code' in fault ? fault.code : undefined;
