/**
 * A bench of this tree against the same bench of an older commit, in turns on the same machine. The
 * result is a ratio, because a machine can be half as fast an hour later.
 *
 *     npm run bench -- paired [--rounds 4] <commit> <bench> [-- <the bench's arguments>]
 *     npm run bench -- paired HEAD~1 throughput
 *     npm run bench -- paired HEAD~1 replay -- 20000
 *
 * The same code against itself gave 0.87 to 1.22 in single rounds of throughput: take several rounds.
 * Their number is even, for whichever tree goes first is at times the faster one.
 *
 * The benches: throughput and replay. The older commit is cloned to .local/paired/ with its own
 * dependencies, and its clone stays there for the next time. Each tree runs its own bench. Changes
 * that are not committed are measured too.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const CLONES = join(ROOT, '.local/paired');
/** Each prints its result as its last figure in `events/s`. */
const BENCHES = ['throughput', 'replay'];
const USAGE = 'npm run bench -- paired [--rounds 4] <commit> <bench> [-- <its arguments>]';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '4' } },
});
const rounds = Number(options.rounds);
const [commit, bench, ...benchArguments] = positionals;
const refuse: (reason: string) => never = (reason) => {
  console.error(reason);
  process.exit(2);
};
if (!commit || !bench) refuse(`Usage: ${USAGE}`);
if (!BENCHES.includes(bench)) refuse(`The bench is one of ${BENCHES.join(', ')}, not ${bench}.`);
if (!(rounds > 0 && rounds % 2 === 0)) {
  refuse(`--rounds is an even number, not ${options.rounds}.`);
}

const git = async (...words: string[]) => (await run('git', words, { cwd: ROOT })).stdout.trim();

/** The directory of a clone at the commit, with its dependencies. It appears when it is complete. */
const cloneOf = async (hash: string): Promise<string> => {
  const clone = join(CLONES, hash);
  if (existsSync(clone)) return clone;
  const unfinished = `${clone}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await git('clone', '--quiet', '--shared', '--no-checkout', ROOT, unfinished);
  await git('-C', unfinished, 'checkout', '--quiet', '--detach', hash);
  await run('npm', ['ci', '--silent'], { cwd: unfinished });
  await rename(unfinished, clone);
  return clone;
};

/** Events a second: the last such figure that the bench of the tree prints. */
const rateIn = async (tree: string): Promise<number> => {
  const node = join(tree, 'node_modules/.bin/node');
  const { stdout } = await run(node, [`bench/${bench}.ts`, ...benchArguments], { cwd: tree });
  const rate = [...stdout.matchAll(/(\d+) events\/s/g)].at(-1)?.[1];
  if (!rate) throw new Error(`bench ${bench} of ${tree} prints no events/s:\n${stdout}`);
  return Number(rate);
};

const hash = await git('rev-parse', '--verify', `${commit}^{commit}`).catch(() =>
  refuse(`There is no commit ${commit}.`),
);
const before = await cloneOf(hash);
const row = (...cells: readonly (string | number)[]) =>
  console.log(cells.map((cell) => String(cell).padStart(14)).join(''));

console.log(['bench: ', bench, ...benchArguments.map((word) => ` ${word}`)].join(''));
row(hash.slice(0, 7), 'this tree', 'ratio');

const sum = { before: 0, now: 0 };
for (let round = 0; round < rounds; round++) {
  const isFirst = round % 2 === 0;
  const early = await rateIn(isFirst ? before : ROOT);
  const late = await rateIn(isFirst ? ROOT : before);
  const [rateBefore, rateNow] = isFirst ? [early, late] : [late, early];
  sum.before += rateBefore;
  sum.now += rateNow;
  row(rateBefore, rateNow, (rateNow / rateBefore).toFixed(2));
}
console.log(
  `mean events/s, this tree ÷ ${hash.slice(0, 7)}, of ${rounds} rounds: ${(sum.now / sum.before).toFixed(2)}`,
);
