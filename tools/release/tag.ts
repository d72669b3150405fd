/**
 * Tags the commit as the version of package.json, after checking that everything that names a version
 * names this one:
 *
 *     npx node tools/release/tag.ts [--check]
 *
 * `--check` makes no tag.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { encoding: 'utf8' }).trim();

const versionIn = (file: string): string => JSON.parse(readFileSync(file, 'utf8')).version;

/** Lines of files of the repository, as `file:line`; none without a match. */
const linesWith = (pattern: string, ...folders: readonly string[]): readonly string[] => {
  try {
    return git('grep', '--only-matching', '--extended-regexp', pattern, '--', ...folders).split(
      '\n',
    );
  } catch {
    return [];
  }
};

const version = versionIn('package.json');
const tag = `v${version}`;

const faultsOfFiles = (): readonly string[] => {
  const others = [
    'package-lock.json',
    'packages/console/package.json',
    'packages/local-aws/package.json',
  ];
  const agents = linesWith('Service-Webhooks/[0-9]+[0-9.]*', 'docs', 'lambdas');
  const served = linesWith('SERVICE_VERSION: .+', 'lib');
  const frozen = ['stored', 'stacks'].map((kind) => `test/support/formats/${kind}-${version}.json`);
  const [, top] = /^## (.+)$/m.exec(readFileSync('CHANGELOG.md', 'utf8')) ?? [];
  return [
    ...(/^\d+\.\d+\.\d+$/.test(version) ? [] : [`package.json: ${version} is not a release`]),
    ...others
      .filter((file) => versionIn(file) !== version)
      .map((file) => `${file}: the version is ${versionIn(file)}`),
    ...agents.filter((line) => !line.endsWith(`/${version}`)),
    ...(agents.length > 0 ? [] : ['docs/, lambdas/: no example of the User-Agent']),
    // The User-Agent and `info.version` of /openapi.json.
    ...served.filter((line) => !line.endsWith('SERVICE_VERSION: packageJson.version,')),
    ...(served.length > 0 ? [] : ['lib/: functions have no SERVICE_VERSION']),
    ...(top?.match(/^(\S+) \(\d{4}-\d\d-\d\d\)$/)?.[1] === version
      ? []
      : [`CHANGELOG.md: the top section is "${top}", not "${version} (<date>)"`]),
    ...frozen
      .filter((file) => !existsSync(file))
      .map((file) => `${file}: missing, npm run freeze writes it`),
  ];
};

const faultsOfRepository = (): readonly string[] => {
  const branch = git('branch', '--show-current');
  const changes = git('status', '--porcelain');
  return [
    ...(branch === 'main' ? [] : [`the branch is "${branch}", not "main"`]),
    ...(changes === '' ? [] : [`changes that are not committed:\n${changes}`]),
    ...(git('tag', '--list', tag) === '' ? [] : [`the tag ${tag} exists`]),
  ];
};

const faults = [...faultsOfFiles(), ...faultsOfRepository()];
if (faults.length > 0) {
  console.error(
    `This commit is not ${version}:\n${faults.map((fault) => `- ${fault}`).join('\n')}`,
  );
  process.exitCode = 1;
} else if (process.argv.includes('--check')) {
  console.log(`Everything names ${version}.`);
} else {
  git('tag', '--annotate', tag, '--message', `Version ${version}`);
  console.log(`Tagged ${git('rev-parse', '--short', 'HEAD')} as ${tag}: git push origin ${tag}`);
}
