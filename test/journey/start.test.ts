import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const STATE_DIRECTORY = '.local/start';

let child: ChildProcess;
let output = '';
beforeAll(async () => {
  await rm(STATE_DIRECTORY, { recursive: true, force: true });
  child = spawn(
    process.execPath,
    ['local/start.ts', '--port', '0', '--aws-port', '0', '--state-directory', STATE_DIRECTORY],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (child.stdout === null) throw new Error('There is no output to read.');
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`;
    if (line.startsWith('ready in ')) break;
  }
});
afterAll(() => void child.kill('SIGKILL'));

const endpointsFile = `${STATE_DIRECTORY}/endpoints.json`;

describe('npm start', () => {
  it('shows eight deliveries, each verified by both signatures, and then that it is ready', () => {
    const verified = output.split('\n').filter((line) => line.match(/✓ verified/g)?.length === 2);

    expect(verified).toHaveLength(8);
    expect(output).toMatch(/^ready in \d+\.\d s$/m);
  });

  it('writes where everything is, for its owner alone', async () => {
    const endpoints = JSON.parse(await readFile(endpointsFile, 'utf8'));

    expect(Object.keys(endpoints).sort()).toEqual(
      ['account', 'adminToken', 'api', 'aws', 'caFile', 'certFile', 'eventsQueueUrl']
        .concat(['keyFile', 'memberToken', 'region', 'user'])
        .sort(),
    );
    const { status } = await fetch(`${endpoints.api}/users/${endpoints.user}/signature`, {
      headers: { Authorization: `Bearer ${endpoints.memberToken}` },
    });
    expect(status).toBe(200);
  });

  it('stops cleanly on Ctrl-C', async () => {
    const exited = once(child, 'exit');
    child.kill('SIGINT');

    expect(await exited).toEqual([0, null]);
    await expect(access(endpointsFile)).rejects.toThrow();
  });
});
