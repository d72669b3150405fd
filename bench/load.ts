/**
 * The embedded run under the load of ten customers with a webhook each. Events of 1.1 KB are sent one
 * with each call: at rates, many at once, and beside an endpoint that does not answer. Measures the time
 * from SendMessage to the POST, and the CPU time of the run for an event.
 *
 *     npm run bench -- load [--scenes 50,200,500,once,hanging] [--against <checkout> --rounds 2]
 *
 * `--against`: a folder with another commit and its dependencies. Its run is measured in turns with the
 * run of this tree, under the same load, because a machine can be half as fast an hour later. A ratio
 * above 1 says that this tree is better. The number of rounds is even, for whichever tree goes first is at
 * times the faster one. `PROOF=1` keeps the figures of a run with all scenes.
 */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keepRecord } from '../tools/proof/records.ts';
import {
  atOnce,
  atRate,
  besideHanging,
  type Figures,
  type Load,
  startLoad,
} from './load/scenes.ts';
import { startBenchedService } from './service.ts';

const SECONDS = 20;

const SCENES: Readonly<Record<string, (load: Load) => Promise<Figures>>> = {
  50: (load) => atRate(load, 50, SECONDS),
  200: (load) => atRate(load, 200, SECONDS),
  500: (load) => atRate(load, 500, SECONDS),
  once: atOnce,
  hanging: besideHanging,
};

const { values: options } = parseArgs({
  options: {
    scenes: { type: 'string', default: Object.keys(SCENES).toString() },
    against: { type: 'string' },
    rounds: { type: 'string', default: '2' },
  },
});
const scenes = options.scenes.split(',').map((name) => {
  const scene = SCENES[name];
  if (!scene) throw new Error(`A scene is one of ${Object.keys(SCENES)}, not ${name}.`);
  return scene;
});
const rounds = Number(options.rounds);
if (!(rounds > 0 && rounds % 2 === 0)) throw new Error('--rounds is an even number.');

const THIS_TREE = join(import.meta.dirname, '..');

const measure = async (tree: string): Promise<Figures> => {
  const service = await startBenchedService({ tree });
  const load = await startLoad(service);
  const figures: Record<string, number> = {};
  for (const scene of scenes) Object.assign(figures, await scene(load));
  await service.stop();
  return figures;
};

/** Means of the rounds, by tree. */
const inTurns = async (trees: readonly string[]): Promise<readonly Figures[]> => {
  const measured = trees.map((): Figures[] => []);
  const turns = trees.map((tree, index) => ({ tree, of: measured[index] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { tree, of } of round % 2 === 0 ? turns : turns.toReversed()) {
      const figures = await measure(tree);
      console.log(tree, figures);
      of?.push(figures);
    }
  }
  return measured.map(meanOf);
};

const meanOf = (measured: readonly Figures[]): Figures =>
  Object.fromEntries(
    Object.keys(measured[0] ?? {}).map((name) => [
      name,
      measured.reduce((sum, figures) => sum + (figures[name] ?? Number.NaN), 0) / measured.length,
    ]),
  );

const commitOf = (tree: string): string =>
  execFileSync('git', ['-C', tree, 'rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();

const other = options.against === undefined ? [] : [resolve(options.against)];
const names = other.map(commitOf);
const [now = {}, before] = await inTurns([THIS_TREE, ...other]);
const row = (...[name = '', ...cells]: readonly string[]): void =>
  console.log(name.padEnd(46) + cells.map((cell) => cell.padStart(12)).join(''));
row('', 'this tree', ...names, ...names.map(() => 'ratio'));
for (const [name, value] of Object.entries(now)) {
  const old = before?.[name] ?? Number.NaN;
  const ratio = name.endsWith('events a second') ? value / old : old / value;
  row(name, value.toFixed(1), ...(before ? [old.toFixed(1), ratio.toFixed(2)] : []));
}
const rounded = (figures: Figures, suffix = ''): Figures =>
  Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name + suffix, Number(value.toFixed(1))]),
  );
if (scenes.length === Object.keys(SCENES).length) {
  keepRecord('load', {
    title: 'Speed of a local run',
    command: `npm run bench -- load${before ? ' --against <checkout>' : ''} --rounds ${rounds}`,
    figures: { ...rounded(now), ...rounded(before ?? {}, ` (${names})`) },
  });
}
