import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSecretsUsed, secretsFileIn } from '../support/journey/secrets-used.ts';
import { LOGGED_RUNS } from '../support/journey/service-under-test.ts';

/** The log of each function of a run. */
const readLogs = async (stateDirectory: string): Promise<ReadonlyMap<string, string>> => {
  const directory = join(stateDirectory, 'logs');
  const files = await readdir(directory);
  return new Map(
    await Promise.all(
      files.map(async (file) => [file, await readFile(join(directory, file), 'utf8')] as const),
    ),
  );
};

/** SHA-256 sums by which CDK names the code of functions: stack traces contain them. */
const readAssetHashes = async (stateDirectory: string): Promise<ReadonlySet<string>> => {
  const names = await readdir(join(stateDirectory, 'cdk.out'));
  return new Set(names.flatMap((name) => /^asset\.(\w+)/.exec(name)?.[1] ?? []));
};

/** The first line that contains a text. */
const lineWith = (text: string, log: string): string | undefined =>
  log.includes(text) ? log.split('\n').find((line) => line.includes(text)) : undefined;

describe.each(LOGGED_RUNS)('The logs of the journeys in %s', (stateDirectory) => {
  // Journeys against a service elsewhere leave no logs here.
  const wasRun = existsSync(secretsFileIn(stateDirectory));

  it.skipIf(!wasRun)('have none of the secrets and messages that the journeys used', async () => {
    const secrets = await readSecretsUsed(stateDirectory);
    const logs = await readLogs(stateDirectory);

    const found = [...logs].flatMap(([file, log]) =>
      secrets.flatMap((secret) => lineWith(secret, log) ?? []).map((line) => `${file}: ${line}`),
    );

    expect(found).toEqual([]);
    expect(secrets.length).toBeGreaterThan(10);
    expect([...logs.values()].join('').split('\n').length).toBeGreaterThan(100);
  });

  it.skipIf(!wasRun)('have nothing that looks like a token, a secret or a signature', async () => {
    const [logs, assets] = await Promise.all([
      readLogs(stateDirectory),
      readAssetHashes(stateDirectory),
    ]);

    const found = [...logs].flatMap(([file, log]) =>
      (log.match(/mst_[\w-]{43}|whsec_\S+|\b[0-9a-f]{64}\b|\bv1,[\w+/]{43}=/g) ?? [])
        .filter((text) => !assets.has(text))
        .map((text) => `${file}: ${text}`),
    );

    expect(found).toEqual([]);
  });
});
