import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const workflows = globSync('.github/workflows/*.yml').map((file) => ({
  file,
  lines: readFileSync(file, 'utf8').split('\n'),
}));

/** The values of a key, wherever it is. */
const valuesOf = (lines: readonly string[], key: string): string[] =>
  lines.flatMap((line) => new RegExp(`^[\\s-]+${key}: +(.+)$`).exec(line)?.[1] ?? []);

describe('The workflows', () => {
  it('verify before they deploy dev, and deploy dev before prod', () => {
    const [ci = [], deploy = []] = workflows
      .toSorted((one, other) => (one.file < other.file ? -1 : 1))
      .map(({ lines }) => lines);

    expect(valuesOf(ci, 'run')).toEqual([
      expect.stringMatching(/^\.ci\/run \$\{\{ matrix\.part \}\}$/),
    ]);
    expect(valuesOf(deploy, 'uses')).toContain('./.github/workflows/ci.yml');
    expect(valuesOf(deploy, 'environment')).toEqual(['dev', 'prod']);
    expect(valuesOf(deploy, 'needs')).toEqual(['ci', 'dev', 'prod-diff']);
  });

  it('queue no approval of prod, and deploy main alone', () => {
    const [, deploy = []] = workflows
      .toSorted((one, other) => (one.file < other.file ? -1 : 1))
      .map(({ lines }) => lines);
    const prod = deploy.slice(deploy.indexOf('  prod:'));

    expect(prod.filter((line) => line.includes('concurrency:'))).toEqual([]);
    expect(valuesOf(prod, 'run')[0]).toMatch(/^test .*branches\/main.* = "\$GITHUB_SHA"$/);
  });

  it.each([
    ['[~] AWS::DynamoDB::Table Integrations IntegrationsC1 replace', false],
    ['[~] AWS::KMS::Key Keys/Table KeysTable11 may be replaced', false],
    ['[-] AWS::SQS::Queue Events/Queue EventsQueue1 destroy', false],
    ['[-] AWS::Cognito::UserPool ConsoleUsers/Pool Pool1 orphan', false],
    ['[~] AWS::Events::EventBus EventBus EventBus7B8748AA replace', false],
    ['[~] AWS::Scheduler::ScheduleGroup RetrySchedules/Group Group1 replace', false],
    ['[~] AWS::DynamoDB::Table Integrations IntegrationsC1', true],
    ['[~] AWS::Lambda::Version RunReplay/Version Version1 replace', true],
  ])('stop before prod would lose data: %s', (line, goesOn) => {
    const [stop = ''] = workflows
      .flatMap(({ lines }) => valuesOf(lines, 'run'))
      .filter((run) => run.startsWith('"! grep'));
    const { status } = spawnSync('bash', ['-c', stop.slice(1, -1).replace('diff.txt', '-')], {
      input: `Stack x\n${line}\n`,
    });

    expect(status === 0).toBe(goesOn);
  });

  it('go back to commits of main alone, in the environment of prod', () => {
    const { lines = [] } = workflows.find(({ file }) => file.endsWith('/roll-back.yml')) ?? {};
    const runs = valuesOf(lines, 'run');

    expect(valuesOf(lines, 'environment')).toEqual(['prod']);
    expect(valuesOf(lines, 'if')).toEqual(["github.ref == 'refs/heads/main'"]);
    expect(runs.slice(0, 2)).toEqual([
      'git merge-base --is-ancestor "$COMMIT" HEAD',
      'git checkout "$COMMIT"',
    ]);
  });

  it('run every part of .ci/run, each in a job of its own', () => {
    const [, parts] = /^all=\((.+)\)$/m.exec(readFileSync('.ci/run', 'utf8')) ?? [];

    const [, matrix] =
      /^ +part:\s+\[([^\]]+)\]$/m.exec(readFileSync('.github/workflows/ci.yml', 'utf8')) ?? [];

    expect(matrix?.split(', ')).toEqual(parts?.split(' '));
  });

  it('verify on the least Node that we accept', () => {
    const ci = readFileSync('.github/workflows/ci.yml', 'utf8');
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
    const [floor] = /\d+\.\d+\.\d+/.exec(engines.node) ?? [];

    expect(ci).toContain(`node-version: \${{ matrix.part == 'verify' && '${floor}' || '' }}`);
  });

  it.each(workflows)('use actions of one commit, and no stored secret: $file', ({ lines }) => {
    const used = valuesOf(lines, 'uses').filter((action) => !action.startsWith('./'));

    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
    expect(lines.filter((line) => line.includes('secrets'))).toEqual([]);
  });

  it('run no install scripts of packages where a token of AWS can be had', () => {
    const mayAskForToken = workflows.filter(({ lines }) =>
      lines.some((line) => line.includes('id-token: write')),
    );
    const installs = mayAskForToken.flatMap(({ lines }) =>
      valuesOf(lines, 'run').filter((run) => /npm (ci|i|install)\b|\.ci\/run/.test(run)),
    );

    expect(installs.length).toBeGreaterThan(0);
    expect(new Set(installs)).toEqual(new Set(['npm ci --ignore-scripts']));
  });
});
