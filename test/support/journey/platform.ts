import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { outOfPatience, PATIENCE_MS } from '../patience.ts';
import { createDocumentedAnswers } from './documented-answers.ts';
import { awsClientConfigOf, platformOf } from './platform-of.ts';
import { createNoteSecrets } from './secrets-used.ts';

/** What surrounds the service in a journey: its callers, the platform, its operator. */
const service = inject('service');

export const awsClientConfig = awsClientConfigOf(service);

/** Every answer of every journey is held against the API's own documents. */
export const observers = {
  checkAnswer: createDocumentedAnswers(service.api),
  noteSecrets: createNoteSecrets(inject('stateDirectory')),
};

export const { call, publish, publishText, register, sampleEvent } = platformOf(service, observers);

const COMPILE_CACHE = fileURLToPath(new URL('../../../.vitest/compile-cache', import.meta.url));

/** The operator's command line against the service under test; answers its JSON. */
export const admin = async (...words: string[]): Promise<Record<string, unknown>> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['admin/main.ts', ...words, '--json', '--stage', process.env.SERVICE_STAGE ?? 'local'],
    {
      env: {
        ...process.env,
        // A command compiles the same files as the one before.
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        AWS_ENDPOINT_URL: service.aws,
        AWS_REGION: service.region,
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
      },
    },
  );
  return JSON.parse(stdout);
};

/** An account of its own for a test, with a user and a token of each role. */
export const newAccount = async () => {
  const account = `t-${randomBytes(6).toString('hex')}`;
  const user = `u_${account}`;
  await admin('accounts', 'create', account);
  await admin('users', 'create', user, '--account', account, '--role', 'admin');
  const issue = async (role: string) => {
    const { token } = await admin('tokens', 'issue', '--user', user, '--role', role);
    return String(token);
  };
  return { account, user, adminToken: await issue('admin'), memberToken: await issue('member') };
};

/** What comes soon is seen soon; a longer wait leaves the machine to the service under test. */
const FIRST_BETWEEN_READS_MS = 50;
const GROWTH = 1.5;
const MOST_BETWEEN_READS_MS = 400;

/**
 * Reads again and again until what is read satisfies; out of patience, says by what it did not.
 *
 * @param options `betweenReadsMs`: where the time between two reads is not to grow.
 */
export const eventually = async <Value>(
  read: () => Promise<Value>,
  satisfies: (value: Value) => boolean,
  { betweenReadsMs }: { betweenReadsMs?: number } = {},
): Promise<Value> => {
  const endsAt = performance.now() + PATIENCE_MS;
  let growingMs = FIRST_BETWEEN_READS_MS;
  for (;;) {
    const value = await read();
    if (satisfies(value)) return value;
    if (performance.now() > endsAt) throw outOfPatience(String(satisfies), value);
    await delay(betweenReadsMs ?? growingMs);
    growingMs = Math.min(growingMs * GROWTH, MOST_BETWEEN_READS_MS);
  }
};
