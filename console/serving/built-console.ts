import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

const CONSOLE = dirname(import.meta.dirname);
const DIST = join(CONSOLE, 'dist');

/** What the built files are made of, beside the installed packages, which `package.json` pins. */
const SOURCES = ['index.html', 'package.json', 'public', 'src', 'theme', 'vite.config.ts'];

/**
 * Builds the console, unless there are built files of these sources already, and returns their
 * folder, which has a name of its own for each state of the sources. Two processes may build at the
 * same time: each builds beside, and the folder that is complete first is everybody's.
 */
export const buildConsole = async (): Promise<string> => {
  const digest = await digestOfSources();
  const built = join(DIST, digest);
  if (existsSync(built)) return built;
  await mkdir(DIST, { recursive: true });
  const building = await mkdtemp(join(CONSOLE, '.building-'));
  try {
    await runVite(building);
    await rename(building, built).catch((error) => {
      if (!existsSync(built)) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  await removeOthers(digest);
  return built;
};

const removeOthers = async (digest: string): Promise<void> => {
  const others = (await readdir(DIST)).filter((name) => name !== digest);
  for (const name of others) await rm(join(DIST, name), { recursive: true, force: true });
};

const digestOfSources = async (): Promise<string> => {
  const files = (await Promise.all(SOURCES.map((source) => filesOf(join(CONSOLE, source))))).flat();
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    hash
      .update(`${relative(CONSOLE, file)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
};

/** The files of a folder, whatever their depth; of a file, the file. */
const filesOf = async (path: string): Promise<string[]> => {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR') return undefined;
      throw error;
    },
  );
  if (entries === undefined) return [path];
  return entries.filter((e) => e.isFile()).map((e) => join(e.parentPath, e.name));
};

/** Vite runs in a process of its own, so that only the build pays for its memory. */
const runVite = async (outDir: string): Promise<void> => {
  const vite = join(dirname(CONSOLE), 'node_modules', 'vite', 'bin', 'vite.js');
  const child = spawn(
    process.execPath,
    [vite, 'build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn'],
    {
      cwd: CONSOLE,
      // Whoever runs this may be a test: what is built is the same.
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    throw new Error(`The console was not built:\n${Buffer.concat(said).toString('utf8')}`);
  }
};
