import { once } from 'node:events';
import { access, readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedRun, startRun } from '../support/started-run.ts';

const STATE_DIRECTORY = '.local/start';

let run: StartedRun;
beforeAll(async () => {
  run = await startRun(STATE_DIRECTORY);
});
afterAll(() => void run.process.kill('SIGKILL'));

const endpointsFile = `${STATE_DIRECTORY}/endpoints.json`;
const playgroundScript = `${STATE_DIRECTORY}/playground.sh`;

describe('npm start', () => {
  it('shows eight deliveries, each verified by both signatures, and then that it is ready', () => {
    const lines = run.output.split('\n');
    const verified = lines.filter((line) => line.match(/✓ verified/g)?.length === 2);

    expect(verified).toHaveLength(8);
    expect(run.output).toMatch(/^ready in \d+\.\d s$/m);
  });

  it('writes where everything is, for its owner alone', async () => {
    const endpoints = JSON.parse(await readFile(endpointsFile, 'utf8'));

    expect(Object.keys(endpoints).sort()).toEqual(
      ['account', 'adminToken', 'api', 'aws', 'caFile', 'certFile', 'eventsQueueUrl']
        .concat(['keyFile', 'memberToken', 'playground', 'region', 'user'])
        .sort(),
    );
    for (const file of [endpointsFile, playgroundScript]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    const { status } = await fetch(`${endpoints.api}/users/${endpoints.user}/signature`, {
      headers: { Authorization: `Bearer ${endpoints.memberToken}` },
    });
    expect(status).toBe(200);
  });

  it('stops cleanly on Ctrl-C', async () => {
    const exited = once(run.process, 'exit');
    run.process.kill('SIGINT');

    expect(await exited).toEqual([0, null]);
    await expect(access(endpointsFile)).rejects.toThrow();
    await expect(access(playgroundScript)).rejects.toThrow();
  });
});
