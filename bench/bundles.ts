/**
 * The size of each function's bundle, and how long a new process takes to import the bundle.
 *
 *     npm run bench:bundles [-- <imports of each bundle>]
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionSettings } from '../local/functions/function-settings.ts';
import { synthesise } from '../local/synthesise.ts';
import { readAssembly } from '../local/template/assembly.ts';
import { resolveStacks } from '../local/template/stacks.ts';
import { quantile } from './service.ts';

const [imports = 11] = process.argv.slice(2).map(Number);

const IMPORT = `
  const startedAt = performance.now();
  await import(process.argv[1]);
  console.log(performance.now() - startedAt);
  process.exit();
`;

const importMs = (file: string, environment: Record<string, string>): number =>
  Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', IMPORT, file], {
      env: { ...environment, AWS_REGION: 'us-east-1' },
    }),
  );

const directory = await mkdtemp(join(tmpdir(), 'bundles-'));
await synthesise(directory, { hourSeconds: 3_600, signal: new AbortController().signal });
const stacks = resolveStacks(await readAssembly(directory), {
  awsOrigin: 'http://127.0.0.1',
  apiOrigin: 'http://127.0.0.1',
});

for (const { assets, resources } of stacks) {
  for (const resource of resources) {
    if (resource.type !== 'AWS::Lambda::Function') continue;
    const { environment, file } = functionSettings(resource, assets);
    const { size } = await stat(file);
    const times = Array.from({ length: imports }, () => importMs(file, environment));
    const name = environment.POWERTOOLS_SERVICE_NAME ?? resource.name;
    console.log(
      `${name.padEnd(20)} ${(size / 1_024).toFixed(0).padStart(6)} KiB, import ${quantile(times, 0.5).toFixed(0)} ms (median of ${imports})`,
    );
  }
}
await rm(directory, { recursive: true });
