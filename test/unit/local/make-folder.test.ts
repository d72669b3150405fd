import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../local/state-folder.ts';

describe('Making a folder', () => {
  let scratch: string;
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), 'folders-'));
  });
  afterAll(() => rm(scratch, { recursive: true }));

  it('makes the folders above, and finds what is there in order', async () => {
    const path = join(scratch, 'a/b/c');
    await makeFolder(path);
    await makeFolder(path);

    expect((await stat(path)).isDirectory()).toBe(true);
  });

  it('fails below a file', async () => {
    await writeFile(join(scratch, 'file'), '');

    await expect(makeFolder(join(scratch, 'file/below'))).rejects.toThrow('ENOTDIR');
  });

  it.runIf(process.platform === 'linux')('fails where the system has no place for it', async () => {
    await expect(makeFolder('/proc/nope')).rejects.toThrow("mkdir '/proc/nope'");
    await expect(makeFolder('/proc/nope/below')).rejects.toThrow("mkdir '/proc/nope'");
  });
});
