/**
 * Changes expressions and statements of `core/` that are drawn, one at a time and in memory, and counts
 * after how many of the changes a unit test fails:
 *
 *     npx node test/mutation/main.ts [--minutes <number>] [--seed <number>] [<part of a path> …]
 */
import { globSync, readFileSync } from 'node:fs';
import { Command } from 'commander';
import { keepRecord } from '../../tools/proof/records.ts';
import { Random } from '../simulation/chance.ts';
import { createMutationRunner, ENDLESS, type MutantOf, TESTS } from './mutation-runner.ts';
import { mutantsOf } from './operators.ts';
import { createRelatedTests } from './related-tests.ts';

const program = new Command('mutation')
  .argument('[parts...]', 'parts of paths in core/; all files without one')
  .option('--minutes <number>', 'how long mutants are drawn', Number, 3)
  .option('--seed <number>', 'which are drawn', Number, Math.floor(Date.now() / 1_000))
  .parse();
const { minutes, seed } = program.opts<{ minutes: number; seed: number }>();
const parts = program.args;

/** Of each mutant. Tests further away take longer, and notice little that these do not. */
const MOST_TEST_FILES = 20;

/** Each shares its processor with the process in which its tests run. */
const RUNNERS = 2;

/**
 * The rate is 95 % or more, as a few mutants change nothing that anybody sees. If it were 90 %, a run
 * would find so few once in a million: then tests are broken, or a part of `core/` has none.
 */
const leastNoticed = (tried: number): number => 0.9 * tried - 5 * Math.sqrt(0.09 * tried);

/** One mutant for each line, which is as likely as any other. */
const drawnOf = (mutants: readonly MutantOf[], random: Random): readonly MutantOf[] => {
  const lines = Object.values(Object.groupBy(mutants, ({ file, line }) => `${file}:${line}`));
  return lines
    .map((ofLine = []) => ({ place: random.next(), mutant: ofLine[random.below(ofLine.length)] }))
    .toSorted((one, other) => one.place - other.place)
    .flatMap(({ mutant }) => mutant ?? []);
};

const sources = new Map(
  globSync('core/**/*.ts')
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .toSorted()
    .map((file) => [file, readFileSync(file, 'utf8')]),
);
const drawn = drawnOf(
  [...sources].flatMap(([file, code]) => mutantsOf(code).map((mutant) => ({ ...mutant, file }))),
  new Random(seed),
);

const shown = ({ file, start, end, line, operator, replacement }: MutantOf): string => {
  const text = sources.get(file)?.slice(start, end);
  return `${file}:${line} ${operator}: ${text} → ${replacement}`.replaceAll(/\s+/g, ' ');
};

const relatedTests = createRelatedTests(TESTS);
const startedAt = performance.now();
const survivors: MutantOf[] = [];
const failedTests = new Set<string>();
let tried = 0;

const tryMutants = async (): Promise<void> => {
  const runner = await createMutationRunner();
  while (tried < drawn.length && performance.now() - startedAt < minutes * 60_000) {
    const mutant = drawn[tried++];
    if (mutant === undefined) break;
    const tests = relatedTests(mutant.file).slice(0, MOST_TEST_FILES);
    const failure = await runner.firstFailure(tests, mutant);
    if (failure === undefined) survivors.push(mutant);
    else failedTests.add(failure);
    console.log(`${failure === undefined ? 'NOT NOTICED' : 'noticed    '}  ${shown(mutant)}`);
  }
  await runner.close();
};

console.log(`Seed ${seed}: ${drawn.length} lines can be changed.`);
await Promise.all(Array.from({ length: RUNNERS }, tryMutants));

const control = await createMutationRunner();
const unchanged = [...failedTests].filter((test) => test !== ENDLESS);
const broken = await control.firstFailure(unchanged);
await control.close();
if (broken !== undefined) console.error(`${broken} fails although nothing is changed.`);

const noticed = tried - survivors.length;
const rate = `${((100 * noticed) / tried).toFixed(1)} %`;
for (const survivor of survivors) console.log(`NOT NOTICED  ${shown(survivor)}`);
console.log(`Seed ${seed}: ${noticed} of ${tried} mutants noticed, ${rate}.`);
// Vitest sets it for each test that fails, as nearly all of them should.
process.exitCode = broken === undefined && tried > 0 && noticed >= leastNoticed(tried) ? 0 : 1;
if (parts.length === 0) {
  keepRecord('mutations', {
    title: 'Mutants',
    command: `npx node test/mutation/main.ts --minutes ${minutes} --seed ${seed}`,
    figures: {
      mutants: tried,
      noticed,
      rate,
      ...Object.fromEntries(survivors.map((one) => [`not noticed: ${shown(one)}`, ''])),
    },
  });
}
