import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

const demo = (...words: string[]) =>
  promisify(execFile)(process.execPath, ['local/demo.ts', ...words], { cwd: PROJECT });

describe('npm run demo', () => {
  it('tells what it is, and runs nothing', async () => {
    expect((await demo('--help')).stdout).toContain('Usage: npm run demo');
  });

  it.each(['--nope', 'extra'])('refuses what it does not know: %s', async (word) => {
    await expect(demo(word)).rejects.toMatchObject({ code: 2 });
  });
});
