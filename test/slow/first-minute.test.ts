import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-minute-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs `npm start`'s script in an empty project. */
const startIn = (name: string) => {
  const project = join(folder, name);
  return spawnSync('sh', [resolve('local/run.sh')], { cwd: project, encoding: 'utf8' });
};

describe('npm start in an odd folder', () => {
  it.each(['a#b', 'what?'])('says in one line that Vite cannot work in %s', async (name) => {
    await mkdir(join(folder, name, 'node_modules/.bin'), { recursive: true });
    symlinkSync(process.execPath, join(folder, name, 'node_modules/.bin/node'));

    const { status, stderr } = startIn(name);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: Vite, which builds the console, cannot work in .*\n$/);
  });
});

describe('npm run admin, whose reader has gone', () => {
  it('ends without a stack trace', () => {
    const { stderr } = spawnSync('sh', ['-c', `${process.execPath} admin/main.ts --help | true`], {
      encoding: 'utf8',
    });

    expect(stderr).toBe('');
  });
});
