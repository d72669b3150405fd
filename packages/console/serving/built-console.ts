import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type Brand, branded, brandVariable, MESSAGING } from './brand.ts';
import { readReceivers } from './receivers.ts';

const CONSOLE = dirname(import.meta.dirname);
const DIST = join(CONSOLE, 'dist');

/** The sources of the built files, beside the installed packages, which `package.json` pins. */
const SOURCES = [
  'index.html',
  'package.json',
  'vite.config.ts',
  '{public,src,theme}/**/*',
  // Of which `src/api/resources.ts` imports settings, filters, advice and event types.
  '../../core/**/*.ts',
  // The name, the colour and the samples.
  'serving/{brand,receivers,verification-samples}.ts',
];

/**
 * Builds the console, unless it has been built from these sources already, and returns the folder
 * of the built files. Each state of the sources, and each brand, has a folder of its own. Two processes may build at
 * the same time: each builds in a temporary folder, and both use the folder that is complete first.
 */
export const buildConsole = async (brand = MESSAGING): Promise<string> => {
  const digest = await digestOf(brand);
  const built = join(DIST, digest);
  if (existsSync(built)) return built;
  await mkdir(DIST, { recursive: true });
  const building = await mkdtemp(join(CONSOLE, '.building-'));
  try {
    await runVite(building, brand);
    const mark = join(building, 'icon.svg');
    await writeFile(mark, brand.logo ?? branded(await readFile(mark, 'utf8'), brand));
    await rename(building, built).catch((error) => {
      if (!existsSync(built)) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  const others = (await readdir(DIST)).filter((name) => name !== digest);
  for (const name of others) await rm(join(DIST, name), { recursive: true, force: true });
  return built;
};

const digestOf = async (brand: Brand): Promise<string> => {
  const entries = globSync(SOURCES, { cwd: CONSOLE, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const hash = createHash('sha256').update(JSON.stringify([readReceivers(), brand]));
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()) {
    hash
      .update(`${relative(CONSOLE, path)}\0`)
      .update(await readFile(path))
      .update('\0');
  }
  return hash.digest('hex');
};

/** Vite runs in a process of its own, so that its memory is freed after the build. */
const runVite = async (outDir: string, brand: Brand): Promise<void> => {
  const { resolve } = createRequire(import.meta.url);
  const vite = join(dirname(resolve('vite/package.json')), 'bin', 'vite.js');
  const flags = ['--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [vite, 'build', ...flags], {
    cwd: CONSOLE,
    // A test may run this: the build is the same.
    env: { ...process.env, ...brandVariable(brand), NODE_ENV: 'production' },
  }).catch(({ message, stdout, stderr }) => {
    throw new Error(`The console was not built: ${message}\n${stdout}${stderr}`);
  });
};
