import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, takeFolder } from '../state-folder.ts';

const MODULE = new URL('../state-folder.ts', import.meta.url).href;

/** Another process that has taken the folder. */
const processWith = async (folder: string) => {
  const script = `
    const { takeFolder } = await import(${JSON.stringify(MODULE)});
    globalThis.leave = await takeFolder(${JSON.stringify(folder)}, '');
    console.log('taken');
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
};

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'folders-'));
});
afterAll(() => rm(scratch, { recursive: true }));

describe('Taking a state directory', () => {
  it('fails while a run has it, and says what to do', async () => {
    const folder = join(scratch, 'one/after/another');
    const leave = await takeFolder(folder, 'wait');

    await expect(takeFolder(folder, 'wait for its end')).rejects.toThrow(
      /^Another run uses the folder \S+another: stop that run, or wait for its end\.$/,
    );

    leave();
    (await takeFolder(folder, 'wait'))();
  });

  it('fails while another process has it, and works once that was killed', async () => {
    const folder = join(scratch, 'killed');
    const child = await processWith(folder);

    await expect(takeFolder(folder, 'wait')).rejects.toThrow('Another run uses');

    child.kill('SIGKILL');
    await once(child, 'exit');
    (await takeFolder(folder, 'wait'))();
  });

  it('leaves other folders to other runs', async () => {
    const leave = await takeFolder(join(scratch, 'first'), 'wait');
    (await takeFolder(join(scratch, 'second'), 'wait'))();
    leave();
  });
});

describe('Making a folder', () => {
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
