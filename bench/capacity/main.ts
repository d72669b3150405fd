import { Command, InvalidArgumentError, Option } from 'commander';
import { settingsFor } from '../../lib/stages.ts';
import { keepRecord } from '../../tools/proof/records.ts';
import { ROWS } from './customers.ts';
import {
  type Found,
  headLines,
  lineOf,
  missesOf,
  shortOf,
  simulateAlone,
  simulateRow,
} from './table.ts';

const wholeNumber = (text: string): number => {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number above zero.');
};

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const names = ROWS.map(({ name }) => name);

const {
  row: rows,
  rate,
  warmUp,
  ...options
} = new Command('bench -- capacity')
  .description('Tells in virtual time what customers do to each other with the settings of prod.')
  .option('--integrations <number>', 'how many integrations', wholeNumber, 20_000)
  .option('--rate <number>', 'events a second of all of them together', wholeNumber, 400)
  .option('--minutes <number>', 'how long', wholeNumber, 15)
  .option('--warm-up <number>', 'how many of the minutes are not counted', wholeNumber, 5)
  .option('--seed <number>', 'draws every chance', wholeNumber, 1)
  .addOption(new Option('--row <name...>', 'some of the rows').choices(names).default(names, 'all'))
  .parse()
  .opts<{
    integrations: number;
    rate: number;
    minutes: number;
    warmUp: number;
    seed: number;
    row: string[];
  }>();

const stage = settingsFor('prod');
if (stage === undefined) throw new Error('There is no stage prod.');
const run = { ...options, stage, eventsPerSecond: rate, warmUpMinutes: warmUp };

const aloneOf = new Map<number, Found>();
const misses: string[] = [];
const figures: Record<string, string> = {};
for (const line of headLines()) say(line);
for (const each of ROWS.filter(({ name }) => rows.includes(name))) {
  const share = each.others?.share ?? 0;
  const alone = aloneOf.get(share) ?? (await simulateAlone(each, run));
  aloneOf.set(share, alone);
  const compared = { row: each, found: await simulateRow(each, run), alone };
  say(lineOf(compared));
  figures[each.title] = shortOf(compared);
  misses.push(...missesOf(compared).map((miss) => `${each.name}: ${miss}`));
}
for (const miss of misses) say(`MISSED: ${miss}`);
if (misses.length > 0) process.exitCode = 1;
keepRecord('capacity', {
  title: 'Capacity',
  command: ['npm run bench -- capacity', ...process.argv.slice(2)].join(' '),
  figures: { ...figures, ...Object.fromEntries(misses.map((miss) => [miss, 'MISSED'])) },
});
