import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { type Certificates, prepareCertificates } from 'local-aws/certificates.ts';
import { makeFolder } from 'local-aws/state-folder.ts';
import { pythonTools } from '../python/python-environment.ts';

export interface Emulator {
  /** Origin of all its APIs. */
  readonly aws: string;
  readonly region: string;
  readonly certificates: Certificates;
  /** Of programs that are to take the emulator for AWS. */
  readonly environment: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

const LOG_FILE = '.vitest/emulator.log';

const REGION = 'eu-west-1';
const START = fileURLToPath(new URL('start-ministack.py', import.meta.url));

/** It loads for three seconds on a machine that has nothing else to do. */
const START_MS = 60_000;
const STOP_MS = 10_000;

/**
 * MiniStack on a free port of this machine, with IAM enforced. It speaks HTTPS, because the policy of
 * the CDK's bucket refuses anything else.
 */
export const startEmulator = async (stateDirectory: string): Promise<Emulator> => {
  const tools = await pythonTools();
  const certificates = await prepareCertificates(`${stateDirectory}/certificates`);
  tls.setDefaultCACertificates([...tls.getCACertificates(), certificates.caCertificate]);
  const port = await freePort();
  // Outside of the project, whose package.json would make modules of the emulator's own scripts.
  const temporary = await mkdtemp(join(tmpdir(), 'integrations-emulator-'));
  await makeFolder(dirname(LOG_FILE));
  const log = await open(LOG_FILE, 'w');
  // A group of its own: the processes of functions end with the emulator, however it ends.
  const child = spawn(`${tools}/python`, [START], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: {
      ...withoutAws(process.env),
      PATH: pathWithThisNode(),
      TMPDIR: temporary,
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_REGION: REGION,
      AUTH: 'true',
      IOT_MTLS_ENABLED: '0',
      USE_SSL: '1',
      MINISTACK_SSL_CERT: certificates.certFile,
      MINISTACK_SSL_KEY: certificates.keyFile,
      // Of the functions: they call the emulator, and the receivers of the tests.
      NODE_EXTRA_CA_CERTS: certificates.caFile,
    },
  });
  await log.close();
  const exit = once(child, 'exit');
  const stop = async (): Promise<void> => {
    signalGroup(child.pid, 'SIGTERM');
    await Promise.race([exit, delay(STOP_MS, undefined, { ref: false })]);
    signalGroup(child.pid, 'SIGKILL');
    await exit;
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  };
  const aws = `https://127.0.0.1:${port}`;
  try {
    await answers(aws, child);
  } catch (fault) {
    await stop();
    throw fault;
  }
  return {
    aws,
    region: REGION,
    certificates,
    environment: environmentOf(aws, REGION, certificates.caFile),
    stop,
  };
};

const environmentOf = (aws: string, region: string, caFile: string): NodeJS.ProcessEnv => ({
  ...withoutAws(process.env),
  PATH: pathWithThisNode(),
  AWS_ENDPOINT_URL: aws,
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  NODE_EXTRA_CA_CERTS: caFile,
  CDK_DISABLE_CLI_TELEMETRY: '1',
});

/** Nothing of the caller's own AWS account. */
const withoutAws = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('AWS_')));

const pathWithThisNode = (): string => `${dirname(process.execPath)}:${process.env.PATH ?? ''}`;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
};

const answers = async (aws: string, child: { exitCode: number | null }): Promise<void> => {
  const endsAt = performance.now() + START_MS;
  while (performance.now() < endsAt && child.exitCode === null) {
    const isThere = await fetch(`${aws}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    await delay(100);
  }
  throw new Error(`MiniStack does not answer at ${aws}: see ${LOG_FILE}.`);
};

/** Signals a process that was started detached, and all that it has started; none may be left. */
export const signalGroup = (leader: number | undefined, signal: NodeJS.Signals): void => {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch (fault) {
    if (!(fault instanceof Error && 'code' in fault && fault.code === 'ESRCH')) throw fault;
  }
};
