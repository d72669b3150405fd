import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { branded } from '../../../packages/console/serving/brand.ts';
import { buildConsole } from '../../../packages/console/serving/built-console.ts';
import { readReceivers } from '../../../packages/console/serving/receivers.ts';

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

  it('has the name of its brand as text, whatever its characters', () => {
    const brand = { name: '"R&D" <$&>', colour: '#123456' };
    const page = branded('<title>Messaging</title><rect fill="#4353c4"/>', brand);

    expect(page).toBe('<title>&quot;R&amp;D&quot; &lt;$&amp;></title><rect fill="#123456"/>');
  });

  it('is one script and one style sheet, and a script of the samples', async () => {
    const assets = await readdir(join(folder, 'assets'));
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    const apart = assets.filter((name) => !page.includes(name));

    expect(assets.map((name) => name.slice(name.lastIndexOf('.'))).toSorted()).toEqual([
      '.css',
      '.js',
      '.js',
    ]);
    expect(apart).toEqual([expect.stringMatching(/^receiver-samples-.+\.js$/)]);
    const samples = await readFile(join(folder, 'assets', apart[0] ?? ''), 'utf8');
    for (const { title } of readReceivers()) expect(samples).toContain(title);
  });
});
