import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE_OPTIONS } from '../../../lib/constructs/bundle-options.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** What a module of ours exports after it was bundled as the functions are. */
export const importBundled = async <Module>(file: string): Promise<Module> => {
  const directory = await mkdtemp(join(tmpdir(), 'bundled-'));
  const outfile = join(directory, 'module.mjs');
  await build({ ...BUNDLE_OPTIONS, entryPoints: [join(ROOT, file)], outfile });
  const module: Module = await import(pathToFileURL(outfile).href);
  await rm(directory, { recursive: true });
  return module;
};
