import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../../../console/serving/built-console.ts';

describe('the built console', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await buildConsole();
  });

  it('is not built again of the same sources', async () => {
    const before = await stat(join(folder, 'index.html'));
    expect(await buildConsole()).toBe(folder);
    const after = await stat(join(folder, 'index.html'));
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  });

  it('has nothing inline, which the policy of its page refuses', async () => {
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    expect(page).toMatch(/<script type="module" crossorigin src="\/assets\/[^"]+\.js"><\/script>/);
    expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)/);
  });

  it('is one script and one style sheet: a later page needs nothing but data', async () => {
    const assets = await readdir(join(folder, 'assets'));
    expect(assets.map((name) => name.slice(name.lastIndexOf('.'))).toSorted()).toEqual([
      '.css',
      '.js',
    ]);
  });
});
