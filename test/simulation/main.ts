import { Command, InvalidArgumentError } from 'commander';
import { keepRecord } from '../../tools/proof/records.ts';
import { BLOCK, type Exploration, explore } from './explore.ts';
import { simulate } from './simulate.ts';

const wholeNumber = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
};

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const PROGRESS_MS = 3_000;

const { runs, seed, path } = new Command('simulate')
  .description('Explores what can go wrong with deliveries, in virtual time.')
  .option('--runs <number>', 'how many runs', wholeNumber, 2_000)
  .option('--seed <number>', 'where to begin', wholeNumber, 1)
  .option('--path <path>', 'the one run of a seed that a failure named; prints every step of it')
  .parse()
  .opts<{ runs: number; seed: number; path?: string }>();

const startedAt = Date.now();
let toldAt = startedAt;

const rateOf = ({ runs: done }: Exploration): string => {
  const seconds = (Date.now() - startedAt) / 1_000;
  return `${done} runs in ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} a second`;
};

const result = await explore({ runs, seed, ...(path !== undefined && { path }) }, (soFar) => {
  if (Date.now() - toldAt < PROGRESS_MS) return;
  toldAt = Date.now();
  say(rateOf(soFar));
});

const met = [...result.met].toSorted(([a], [b]) => (a < b ? -1 : 1));
for (const [situation, count] of met) say(`${String(count).padStart(8)}  ${situation}`);
say(rateOf(result));

const countOf = (situations: RegExp): number =>
  met.reduce((sum, [situation, count]) => sum + (situations.test(situation) ? count : 0), 0);

if (path === undefined) {
  keepRecord('simulation', {
    title: 'Simulated histories',
    command: `npm run simulate -- --runs ${runs} --seed ${seed}`,
    figures: {
      histories: result.runs,
      seeds: `${seed} to ${seed + Math.ceil(result.runs / BLOCK) - 1}`,
      'broken rules': result.failure ? 1 : 0,
      'different situations': met.length,
      'crashes before or after a call': countOf(/^crash /),
      'faults of a call': countOf(/^fault /),
      'repeated calls': countOf(/^repeated: /),
      'messages and schedules handed out twice': countOf(/ (handed out|fires) twice$/),
    },
  });
}

if (result.failure) {
  const { rule, scenario, seed: found, path: at } = result.failure;
  if (path !== undefined) say((await simulate(scenario, { keepLines: true })).lines.join('\n'));
  else say(JSON.stringify(scenario, undefined, 1));
  say(`BROKEN: ${rule}\nSee it: npm run simulate -- --seed ${found} --path ${at}`);
  process.exitCode = 1;
}
