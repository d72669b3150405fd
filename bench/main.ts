/** Runs a bench by its name: `npm run bench -- <bench> [<its arguments>]`. */
const BENCHES: Readonly<Record<string, () => Promise<unknown>>> = {
  capacity: () => import('./capacity/main.ts'),
  cost: () => import('./cost.ts'),
  function: () => import('./function.ts'),
  load: () => import('./load.ts'),
  replay: () => import('./replay.ts'),
};

// A bench finds its arguments where it would if it were run by itself.
const [name = ''] = process.argv.splice(2, 1);
const bench = BENCHES[name];
if (bench) {
  await bench();
} else {
  console.error(`Usage: npm run bench -- <${Object.keys(BENCHES).join(' | ')}> [<its arguments>]`);
  process.exitCode = 2;
}
