import { Command, InvalidArgumentError, Option } from 'commander';
import { settingsFor } from '../../lib/stages.ts';
import { keepRecord } from '../../tools/proof/records.ts';
import { ALONE, ROWS } from './customers.ts';
import { simulate } from './functions.ts';

const wholeNumber = (text: string): number => {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number above zero.');
};

const say = (cells: readonly string[]): void => {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
};

const whole = (count: number): string => Math.round(count).toLocaleString('en');
const times = (ratio: number): string => (ratio < 10 ? ratio.toFixed(2) : whole(ratio));

const names = ROWS.map(({ name }) => name);

const options = new Command('bench -- capacity')
  .description('Tells in virtual time what customers do to each other with the settings of prod.')
  .option('--integrations <number>', 'how many integrations', wholeNumber, 20_000)
  .option('--rate <number>', 'events a second of all of them together', wholeNumber, 400)
  .option('--minutes <number>', 'how long', wholeNumber, 15)
  .option('--warm-up <number>', 'how many of the minutes are not counted', wholeNumber, 5)
  .option('--seed <number>', 'draws every chance', wholeNumber, 1)
  .addOption(new Option('--row <name...>', 'some of the rows').choices(names).default(names, 'all'))
  .parse()
  .opts();

const stage = settingsFor('prod');
if (stage === undefined) throw new Error('There is no stage prod.');
const { integrations, rate, minutes, warmUp, seed } = options;
const run = {
  ...{ stage, integrations, minutes, seed },
  ...{ eventsPerSecond: rate, warmUpMinutes: warmUp },
};

const alone = await simulate(ALONE, run);
const figures: Record<string, string> = { [ALONE.title]: `p95 ${alone.p95Ms} ms` };
say([
  ...['Beside the healthy customers', 'p95 ÷ alone', 'in the worst minute'],
  ...['in flight: deliveries', 'slow lane', 'delivered a second of the flood'],
]);
say(['---', ...Array(5).fill('---:')]);
for (const row of ROWS.filter(({ name }) => options.row.includes(name))) {
  const { p95Ms, worstMinuteMs, mostInFlight, floodRate } = await simulate(row, run);
  const p95 = times(p95Ms / alone.p95Ms);
  const worst = times(worstMinuteMs / alone.worstMinuteMs);
  const inFlight = mostInFlight.map(whole);
  say([row.title, p95, worst, ...inFlight, row.flood ? whole(floodRate) : '–']);
  figures[row.title] = `p95 ${p95} × that alone, ${inFlight[0]} deliveries in flight`;
}
keepRecord('capacity', {
  title: 'Capacity',
  command: ['npm run bench -- capacity', ...process.argv.slice(2)].join(' '),
  figures,
});
