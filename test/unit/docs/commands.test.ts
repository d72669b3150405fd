import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };

const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/{operators,engineers}/**/*.md')];

const textOf = (page: string): string => readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ');

/** `npm run <script>` of all pages. */
const scripts = new Set(
  PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(
      ([, name = '']) => name,
    ),
  ),
);

describe('The commands of the documentation', () => {
  let folder: string;
  /** Before all others in the path, as on the machine of a reader. Node 20 cannot run TypeScript. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'old-node-'));
    const node = join(folder, 'node');
    await writeFile(
      node,
      `#!/bin/sh
case "$1" in *.ts) echo "node 20: unknown file extension .ts" >&2; exit 1;; esac
exec ${process.execPath} "$@"
`,
    );
    await chmod(node, 0o755);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** What a command says, in whichever way it ends. */
  const said = async (command: string): Promise<string> => {
    const path = (process.env.PATH ?? '')
      .split(delimiter)
      .filter((part) => !/node_modules/.test(part));
    const env = { ...process.env, PATH: [folder, ...path].join(delimiter) };
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', command], { env }).catch(
      (end: { stdout: string; stderr: string }) => end,
    );
    return stdout + stderr;
  };

  const { preinstall: _, ...others } = packageJson.scripts;

  it.each(Object.entries(others))('ask for npm ci before it: npm run %s', async (_name, script) => {
    const project = await mkdtemp(join(tmpdir(), 'not-installed-'));
    for (const part of ['tools', 'local']) await symlink(resolve(part), join(project, part));

    const run = promisify(execFile)('sh', ['-c', script], { cwd: project });

    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: node_modules has no Node\. Run "npm ci" .*\n$/),
    });
    await rm(project, { recursive: true });
  });

  it('are scripts of the package', () => {
    expect([...scripts].filter((name) => !(name in packageJson.scripts))).toEqual([]);
    expect(scripts).toContain('copy-items');
  });

  it.each(PAGES)('run no TypeScript by the Node of the reader: %s', (page) => {
    const bare = textOf(page).match(/(?<!--app "|npx )\bnode [\w./-]+\.ts\b/g);

    expect(bare ?? []).toEqual([]);
  });

  it.each([
    ['npm run copy-items', 'Usage: npm run copy-items'],
    ['npm run admin -- --help', 'accounts'],
    ['npm run simulate -- --help', 'seed'],
    ['npm run bench', 'capacity'],
    [
      'npx cdk ls --app "node bin/pipeline-role.ts" -c stage=dev -c repository=acme/integrations',
      'integrations-dev',
    ],
  ])('run where Node is the oldest that the README promises: %s', async (command, words) => {
    const text = await said(command);

    expect(text).toContain(words);
    expect(text).not.toContain('node 20');
  });
});
