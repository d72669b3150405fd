/**
 * Breaks rules of `core/` one at a time, in memory, and expects a unit test to fail:
 *
 *     node test/mutation/main.ts [<part of a file or rule> …]
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createVitest, type TestModule } from 'vitest/node';
import { keepRecord } from '../../tools/proof/records.ts';
import { TEST_TIMEOUT_MS } from '../support/patience.ts';
import { DELIVERY_MUTATIONS } from './delivery-mutations.ts';
import type { Mutation } from './mutation.ts';
import { SETTINGS_MUTATIONS } from './settings-mutations.ts';
import { TROUBLE_MUTATIONS } from './trouble-mutations.ts';

const wanted = process.argv.slice(2);
const mutations = [...DELIVERY_MUTATIONS, ...TROUBLE_MUTATIONS, ...SETTINGS_MUTATIONS].filter(
  ({ file, rule }) =>
    wanted.length === 0 || wanted.some((part) => `${file}: ${rule}`.includes(part)),
);

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const unbreakable = mutations.filter(({ file, text }) => textOf(file).split(text).length !== 2);
for (const { file, text } of unbreakable) console.error(`${file} does not have once: ${text}`);
if (unbreakable.length > 0 || mutations.length === 0) process.exit(2);

let current: { readonly mutation: Mutation; isLoaded: boolean } | undefined;

const breakRule = (code: string, id: string) => {
  if (current === undefined || id !== resolve(current.mutation.file)) return undefined;
  current.isLoaded = true;
  const { text, replacement } = current.mutation;
  return { code: code.replace(text, () => replacement), map: null };
};

const vitest = await createVitest(
  'test',
  {
    config: false,
    watch: false,
    include: ['test/unit/**/*.test.ts'],
    // A process that has run another mutation must not run this one.
    isolate: true,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    reporters: [{}],
    // It would bring files of the run before.
    fsModuleCache: false,
  },
  { plugins: [{ name: 'mutation', enforce: 'pre', transform: breakRule }] },
);
await vitest.standalone();

/** `broken`: no test has failed, but a file cannot be loaded. */
type Verdict = 'passed' | 'failed' | 'broken';

const hasFailedTest = ({ children }: TestModule): boolean =>
  [...children.allTests('failed')].length > 0;

const run = async (tests: readonly string[]): Promise<Verdict> => {
  const paths = tests.map((one) => `test/unit/${one}`);
  const specifications = await vitest.globTestSpecifications(paths);
  if (specifications.length === 0) throw new Error(`There are no tests in ${paths}.`);
  const result = await vitest.runTestSpecifications(specifications);
  // Vitest also returns modules of the runs before, with the results that they had there.
  const ran = new Set(specifications.map(({ moduleId }) => moduleId));
  const testModules = result.testModules.filter(({ moduleId }) => ran.has(moduleId));
  const { unhandledErrors } = result;
  if (testModules.some(hasFailedTest)) return 'failed';
  const isBroken = unhandledErrors.length > 0 || testModules.some((one) => !one.ok());
  return isBroken ? 'broken' : 'passed';
};

const verdictOf = async (mutation: Mutation): Promise<Verdict> => {
  current = { mutation, isLoaded: false };
  vitest.invalidateFile(resolve(mutation.file));
  const verdict = await run(mutation.tests);
  const { isLoaded } = current;
  current = undefined;
  vitest.invalidateFile(resolve(mutation.file));
  return isLoaded ? verdict : 'broken';
};

const WORDS = { failed: 'noticed', passed: 'NOT NOTICED', broken: 'NOT TESTED' };

if ((await run(mutations.flatMap(({ tests }) => tests))) !== 'passed') {
  throw new Error('Tests fail although no rule is broken.');
}
const startedAt = performance.now();
const noticed: Mutation[] = [];
let isAsExpected = true;
for (const mutation of mutations) {
  const { file, rule, equivalent } = mutation;
  const verdict = await verdictOf(mutation);
  const isExpected = verdict === (equivalent === undefined ? 'failed' : 'passed');
  if (verdict === 'failed') noticed.push(mutation);
  isAsExpected &&= isExpected;
  console.log(`${WORDS[verdict].padEnd(11)}  ${file}: ${rule} ${equivalent ?? ''}`);
}
await vitest.close();
// Vitest sets it for each test that fails, as nearly all of them should.
process.exitCode = isAsExpected ? 0 : 1;
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(`${mutations.length} rules broken, ${noticed.length} noticed, in ${minutes} minutes.`);
if (wanted.length === 0) {
  keepRecord('mutations', {
    title: 'Broken rules',
    command: 'npx node test/mutation/main.ts',
    figures: {
      'rules broken': mutations.length,
      noticed: noticed.length,
      ...Object.fromEntries(
        mutations
          .filter((mutation) => !noticed.includes(mutation))
          .map(({ rule, equivalent }) => [
            `not noticed: ${rule}`,
            equivalent ?? 'a test is missing',
          ]),
      ),
      minutes,
    },
  });
}
