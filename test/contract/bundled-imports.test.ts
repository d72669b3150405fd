import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BUNDLE_OPTIONS } from '../../lib/constructs/bundle-options.ts';

const SOURCE = resolve(import.meta.dirname, '../../adapters/http/https-webhook-endpoint.ts');

/** What Node has loaded once a program has imported what posts webhooks. */
const LOADED = `
  await import(process.argv[1]);
  console.log(process.moduleLoadList.join());
`;

const loadedWith = (file: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', LOADED, file]).toString();

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bundled-'));
});
afterAll(() => rm(directory, { recursive: true }));

it('a bundled function does not load what fetches', async () => {
  const outfile = join(directory, 'module.mjs');
  await build({ ...BUNDLE_OPTIONS, entryPoints: [SOURCE], outfile });

  expect(loadedWith(outfile)).toMatch(/NativeModule http\b/);
  expect(loadedWith(outfile)).not.toContain('undici');
  // Otherwise the module in the place of `node:http` has nothing to spare any more.
  expect(loadedWith('node:http')).toContain('undici');
});
