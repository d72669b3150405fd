import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { localRunIn, startChild } from '../../../bench/child.ts';

it('measures the local run with the flags and variables of npm start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'child-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, 'index.mjs');
  await writeFile(
    file,
    'process.send({ flags: process.execArgv, arenas: process.env.MALLOC_ARENA_MAX });',
  );
  const { ready } = await startChild(pathToFileURL(file), { settings: {}, ...localRunIn('.') });
  expect(ready).toEqual({
    flags: ['--max-semi-space-size=4', '--single-threaded-gc'],
    arenas: '2',
  });
});
