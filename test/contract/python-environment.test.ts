import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findPython, PythonIsMissing } from '../support/python/python-environment.ts';

const script = async (lines: string): Promise<string> => {
  const file = join(await mkdtemp(join(tmpdir(), 'python-')), 'python3');
  await writeFile(file, `#!/bin/sh\n${lines}\n`);
  await chmod(file, 0o755);
  return file;
};

describe('the Python of the tools', () => {
  it('is the first one that is new enough', async () => {
    const old = await script('echo 3 10');
    const first = await script('echo 3 11');
    const second = await script('echo 4 0');

    expect(await findPython([old, first, second])).toBe(first);
    expect(await findPython([old, second])).toBe(second);
  });

  it('is missed with a word on each Python that was found', async () => {
    const old = await script('echo 3 10');
    const bare = await script(
      `echo "ModuleNotFoundError: No module named 'ensurepip'" >&2; exit 1`,
    );

    const search = findPython(['python-nowhere', old, bare]);

    await expect(search).rejects.toBeInstanceOf(PythonIsMissing);
    await expect(search).rejects.toThrow(/python-nowhere: not found/);
    await expect(search).rejects.toThrow(`${old}: is 3.10`);
    await expect(search).rejects.toThrow(
      `${bare}: ModuleNotFoundError: No module named 'ensurepip'`,
    );
  });
});
