import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, inject, it } from 'vitest';
import { missingTool, runInShell } from '../support/receivers/shell.ts';

/** Package managers fetch everything from their registries at first. */
const STEP_MS = 900_000;

const { api } = inject('service');

interface Language {
  /** The name of a generator of OpenAPI Generator. */
  readonly name: string;
  readonly toolchain: readonly (readonly string[])[];
  readonly compile: string;
}

const GENERATOR_TOOLS = [
  ['java', '-version'],
  ['mvn', '--version'],
];

const LANGUAGES: readonly Language[] = [
  { name: 'kotlin', toolchain: [], compile: 'mvn -q -B compile' },
  { name: 'rust', toolchain: [['cargo', '--version']], compile: 'cargo check --quiet' },
  {
    name: 'ruby',
    toolchain: [['ruby', '--version']],
    compile: "find lib -name '*.rb' -print0 | xargs -0 ruby -c",
  },
  {
    name: 'php',
    toolchain: [['php', '--version']],
    compile: "find lib -name '*.php' -print0 | xargs -0 -n 1 php -l",
  },
];

/** The version that the client in Java is generated with. */
const generatorVersion = async (): Promise<string> => {
  const pom = await readFile('clients/openapi-generator/pom.xml', 'utf8');
  return /openapi-generator-maven-plugin<\/artifactId>\s*<version>([^<]+)/.exec(pom)?.[1] ?? '';
};

describe.each(LANGUAGES)('a client in $name', ({ name, toolchain, compile }) => {
  it('is generated and compiles', { timeout: STEP_MS }, async ({ skip }) => {
    const missing = await missingTool([...GENERATOR_TOOLS, ...toolchain]);
    if (missing !== undefined) skip(`CLIENT ${name} WAS NOT TESTED: \`${missing}\` fails.`);
    const cwd = resolve('.local/compiled-clients', name);
    await rm(cwd, { recursive: true, force: true });
    await mkdir(cwd, { recursive: true });
    const run = (command: string) =>
      runInShell(command, { cwd, timeoutMs: STEP_MS, env: { API: api } });
    const version = await generatorVersion();
    const artifact = `org.openapitools:openapi-generator-cli:${version}`;
    await run(`mvn -q -B dependency:copy -Dartifact=${artifact} -DoutputDirectory=.`);
    await run('curl --fail --silent --show-error --output openapi.json $API/openapi.json');
    const jar = `openapi-generator-cli-${version}.jar`;
    await run(`java -jar ${jar} generate -i openapi.json -g ${name} -o .`);
    if (name === 'kotlin') await copyFile('test/clients/kotlin-pom.xml', resolve(cwd, 'pom.xml'));
    await run(compile);
  });
});
