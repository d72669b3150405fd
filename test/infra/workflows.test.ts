import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')];

/** The lines of code blocks, and what stands between backticks in a line. */
const documented = new Set(
  PAGES.map((page) => readFileSync(page, 'utf8')).flatMap((text) => [
    ...[...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
      block
        .replaceAll(/\\\n\s*/g, '')
        .split('\n')
        .map((line) => line.trim()),
    ),
    ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code),
  ]),
);

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
    expect(valuesOf(deploy, 'needs')).toEqual(['ci', 'dev']);
  });

  it('run every part of .ci/run, each in a job of its own', () => {
    const [, parts] = /^all=\((.+)\)$/m.exec(readFileSync('.ci/run', 'utf8')) ?? [];

    expect(workflows.flatMap(({ lines }) => valuesOf(lines, 'part'))).toEqual([
      `[${parts?.replaceAll(' ', ', ')}]`,
    ]);
  });

  it.each(workflows)('run only commands that a document names: $file', ({ lines }) => {
    const commands = valuesOf(lines, 'run').map((run) =>
      run.replace(/ \$\{\{ (vars|matrix)\.\w+ \}\}/, ''),
    );

    expect(commands.length).toBeGreaterThan(0);
    expect(commands.filter((command) => !documented.has(command))).toEqual([]);
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
