import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { removeForOwner, writeForOwner } from 'local-aws/state-folder.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playgroundScript, playgroundScriptText } from '../../../local/demo/guide.ts';
import { RUN_ENDPOINTS } from '../../support/local/run-endpoints.ts';

const RUN = {
  ...RUN_ENDPOINTS,
  caFile: "/home/o'neil/my $code/ca.pem",
  playground: 'https://127.0.0.1:4443',
};

let directory = '';
let file = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'playground-script-'));
  file = playgroundScript(directory);
});
afterEach(() => rm(directory, { recursive: true }));

describe('the file that a shell sources for the playground', () => {
  it('sets where the run is and how it is called', async () => {
    await writeForOwner(file, playgroundScriptText(RUN));
    const print = `. '${file}'; printf '%s\\n' "$API" "$TOKEN" "$PLAYGROUND" "$CA"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', print]);

    expect(stdout.trim().split('\n')).toEqual([RUN.api, 'mst_a', RUN.playground, RUN.caFile]);
  });

  it('is for its owner alone, since it has a token', async () => {
    await writeForOwner(file, playgroundScriptText(RUN));

    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('goes with its run, unless a later run has written its own', async () => {
    const text = playgroundScriptText(RUN);
    const later = playgroundScriptText({ ...RUN, adminToken: 'mst_later' });
    await writeForOwner(file, text);
    await writeForOwner(file, later);
    await removeForOwner(file, text);
    expect(await readdir(directory)).toEqual(['playground.sh']);

    await removeForOwner(file, later);
    expect(await readdir(directory)).toEqual([]);
  });
});

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

const demo = (...words: string[]) =>
  promisify(execFile)(process.execPath, ['local/demo.ts', ...words], { cwd: PROJECT });

describe('npm run demo', () => {
  it('prints its usage, and runs nothing', async () => {
    expect((await demo('--help')).stdout).toContain('Usage: npm run demo');
  });

  it.each(['--nope', 'extra'])('refuses what it does not know: %s', async (word) => {
    await expect(demo(word)).rejects.toMatchObject({ code: 2 });
  });
});
