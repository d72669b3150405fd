import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPT = resolve('tools/release/tag.ts');

const NAME = { NAME: 'Ada', EMAIL: 'ada@example.com' };
const env = {
  PATH: process.env.PATH,
  GIT_CONFIG_NOSYSTEM: '1',
  HOME: '/nonexistent',
  ...Object.fromEntries(
    Object.entries(NAME).flatMap(([name, value]) => [
      [`GIT_AUTHOR_${name}`, value],
      [`GIT_COMMITTER_${name}`, value],
    ]),
  ),
};

const VERSION = JSON.stringify({ version: '2.3.4' });

/** What a repository has in which everything names version 2.3.4. */
const FILES = {
  'package.json': VERSION,
  'package-lock.json': VERSION,
  'packages/console/package.json': VERSION,
  'packages/local-aws/package.json': VERSION,
  'docs/integrators/webhooks.md': 'User-Agent: Service-Webhooks/2.3.4\n',
  'lib/functions.ts': 'SERVICE_VERSION: packageJson.version,\n',
  'CHANGELOG.md': '# Changelog\n\n## 2.3.4 (2026-11-27)\n\n## 2.3.3 (2026-11-20)\n',
  'test/support/formats/stored-2.3.4.json': '{}',
  'test/support/formats/stacks-2.3.4.json': '{}',
};

let root: string;
const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: root, env, encoding: 'utf8' }).trim();
const write = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const commit = () => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Change files');
};
const tag = (...words: string[]) =>
  spawnSync(process.execPath, [SCRIPT, ...words], { cwd: root, env, encoding: 'utf8' });

/** What the script finds wrong. It makes no tag then. */
const faultsOf = (): readonly string[] => {
  const before = git('tag');
  const { status, stderr } = tag();
  expect([status, git('tag')]).toEqual([1, before]);
  return stderr.split('\n').filter((line) => line.startsWith('- '));
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tag-'));
  git('init', '--quiet', '--initial-branch', 'main');
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  commit();
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the tag script', () => {
  it('makes an annotated tag where everything names the version', () => {
    expect(tag()).toMatchObject({ status: 0, stderr: '' });
    expect(git('cat-file', '-t', 'v2.3.4')).toBe('tag');
    expect(git('rev-parse', 'v2.3.4^{commit}')).toBe(git('rev-parse', 'HEAD'));
  });

  it('makes no tag with --check', () => {
    expect(tag('--check')).toMatchObject({ status: 0, stdout: 'Everything names 2.3.4.\n' });
    expect(git('tag')).toBe('');
  });

  it('refuses each file that names another version', () => {
    write('package-lock.json', '{"version":"2.3.3"}');
    write('packages/console/package.json', '{"version":"0.1.0"}');
    write('docs/integrators/webhooks.md', 'Service-Webhooks/2.3.4, Service-Webhooks/2.3.3\n');
    write('lib/functions.ts', "SERVICE_VERSION: '2.3.4',\n");
    write('CHANGELOG.md', '## 2.4.0 (2026-11-27)\n\n## 2.3.4 (2026-11-27)\n');
    commit();
    expect(faultsOf()).toEqual([
      '- package-lock.json: the version is 2.3.3',
      '- packages/console/package.json: the version is 0.1.0',
      '- docs/integrators/webhooks.md:Service-Webhooks/2.3.3',
      "- lib/functions.ts:SERVICE_VERSION: '2.3.4',",
      '- CHANGELOG.md: the top section is "2.4.0 (2026-11-27)", not "2.3.4 (<date>)"',
    ]);
  });

  it('refuses what is missing', () => {
    for (const file of ['docs/integrators/webhooks.md', 'lib/functions.ts']) write(file, '');
    write('CHANGELOG.md', '# Changelog\n\n## 2.3.4 (unreleased)\n');
    rmSync(join(root, 'test/support/formats'), { recursive: true });
    commit();
    expect(faultsOf()).toEqual([
      '- docs/, lambdas/: no example of the User-Agent',
      '- lib/: functions have no SERVICE_VERSION',
      '- CHANGELOG.md: the top section is "2.3.4 (unreleased)", not "2.3.4 (<date>)"',
      '- test/support/formats/stored-2.3.4.json: missing, npm run freeze writes it',
      '- test/support/formats/stacks-2.3.4.json: missing, npm run freeze writes it',
    ]);
  });

  it('refuses a version before a release', () => {
    write('package.json', '{"version":"2.3.4-rc.1"}');
    commit();
    expect(faultsOf()).toContain('- package.json: 2.3.4-rc.1 is not a release');
  });

  it('refuses another branch, uncommitted changes and a tag that exists', () => {
    git('tag', 'v2.3.4');
    git('switch', '--quiet', '--create', 'other');
    write('new.txt', '');
    expect(faultsOf()).toEqual([
      '- the branch is "other", not "main"',
      '- changes that are not committed:',
      '- the tag v2.3.4 exists',
    ]);
  });
});
