import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BUNDLE_OPTIONS } from '../../lib/constructs/bundle-options.ts';
import { importBundled } from '../support/adapters/bundled-module.ts';
import type * as source from '../support/lambdas/thrown-faults.ts';

const SOURCE = resolve(import.meta.dirname, '../../adapters/http/https-webhook-endpoint.ts');

/** Prints the modules that Node has loaded after a program has imported the module that posts webhooks. */
const LOADED = `
  await import(process.argv[1]);
  console.log(process.moduleLoadList.join());
`;

const loadedWith = (file: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', LOADED, file]).toString();

const { thrownFaults }: typeof source = await importBundled(
  'test/support/lambdas/thrown-faults.ts',
);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bundled-'));
});
afterAll(() => rm(directory, { recursive: true }));

it('a bundled function does not load `fetch`', async () => {
  const outfile = join(directory, 'module.mjs');
  await build({ ...BUNDLE_OPTIONS, entryPoints: [SOURCE], outfile });

  expect(loadedWith(outfile)).toMatch(/NativeModule http\b/);
  expect(loadedWith(outfile)).not.toContain('undici');
  // Otherwise the replacement of `node:http` is no longer needed.
  expect(loadedWith('node:http')).toContain('undici');
});

it('a fault in the log of a bundled function has its name', () => {
  expect(thrownFaults().map(({ error }) => error.split(':')[0])).toEqual([
    'ProvisionedThroughputExceededException',
    'ZodError',
    'AddressRefused',
    'TypeError',
  ]);
});

it('a fault in the log of a bundled function names the functions', () => {
  const [ofDynamoDb] = thrownFaults();
  expect(ofDynamoDb?.stack).toMatch(/at .*ofDynamoDb/);
  expect(ofDynamoDb?.stack).toMatch(/at .*thrownFaults/);
});
