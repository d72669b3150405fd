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

/** The service that the journeys use. */
const service = inject('service');

export const awsClientConfig = awsClientConfigOf(service);

/** Each answer of each journey is checked against the API's own documents. */
export const observers = {
  checkAnswer: createDocumentedAnswers(service.api),
  noteSecrets: createNoteSecrets(inject('stateDirectory')),
};

export const { call, publish, publishText, register, sampleEvent } = platformOf(service, observers);

const COMPILE_CACHE = fileURLToPath(new URL('../../../.vitest/compile-cache', import.meta.url));

/** Runs a command of operators against the service under test, and returns its JSON. */
export const admin = async (...words: string[]): Promise<Record<string, unknown>> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['admin/main.ts', ...words, '--json', '--stage', process.env.SERVICE_STAGE ?? 'local'],
    {
      env: {
        ...process.env,
        // Commands share the compiled code.
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

/** Creates an account with a user and a token of each role, by the command line. */
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

/** Reads often at first, then less often, which leaves the machine to the service under test. */
const FIRST_BETWEEN_READS_MS = 50;
const GROWTH = 1.5;
const MOST_BETWEEN_READS_MS = 400;

/**
 * Reads until the value satisfies the condition. Throws an error with the condition and the last value
 * when that takes too long.
 *
 * @param options `betweenReadsMs`: a constant time between two reads.
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
