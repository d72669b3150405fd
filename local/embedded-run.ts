import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { REGION } from './arn.ts';
import { startAwsEndpoint } from './aws/endpoint.ts';
import { createQueues } from './aws/queues.ts';
import { createTables } from './aws/tables.ts';
import { type Certificates, prepareCertificates } from './certificates.ts';
import { type HttpAnswer, type HttpRequest, startHttpServer } from './http-server.ts';
import { MAXIMUM_PAYLOAD_BYTES } from './rest-api/rest-api.ts';
import { type RunningStacks, runStacks } from './running-stacks.ts';
import { createTargets } from './scheduled-targets.ts';
import { systemClock } from './scheduler/clock.ts';
import { Schedules } from './scheduler/schedules.ts';
import { type SynthesisOptions, synthesise } from './synthesise.ts';
import { readAssembly } from './template/assembly.ts';
import { type ResolvedStack, resolveStacks } from './template/stacks.ts';

export interface EmbeddedRunOptions {
  /** 0 takes any free port, here and below. */
  apiPort: number;
  awsPort: number;
  /** Holds the authority and its certificates, the cloud assembly and the functions' logs. */
  stateDirectory: string;
  /** How long an hour of a schedule's rate lasts. */
  hourSeconds: number;
  onFunctionFailure: (failure: {
    functionName: string;
    reason: string;
    stack?: string | undefined;
  }) => void;
  /** Is shown each request to the AWS endpoint; the request is answered when this resolves. */
  beforeAwsAnswer?: (request: HttpRequest) => Promise<void>;
}

export interface EmbeddedRun {
  /** Origin of the REST API, which is served without its stage. */
  api: string;
  /** Endpoint URL for the AWS command line and SDKs. */
  aws: string;
  region: string;
  /** Of all stacks, by output key. */
  outputs: Record<string, string>;
  certificates: Pick<Certificates, 'caFile' | 'certFile' | 'keyFile'>;
  /**
   * Has a function, by a part of its name, die in all its invocations of now; resolves to how many
   * there were.
   */
  crash(functionName: string): Promise<number>;
  stop(): Promise<void>;
}

/** Writes the cloud assembly to run into a directory. */
export type Assemble = (directory: string, options: SynthesisOptions) => Promise<void>;

/**
 * Runs a cloud assembly on this machine: what comes out of `bin/app.ts` for the local stage,
 * unless another is given.
 */
export const startEmbeddedRun = async (
  options: EmbeddedRunOptions,
  assemble: Assemble = synthesise,
): Promise<EmbeddedRun> => {
  const stopping = new AbortController();
  const cleanups: (() => Promise<void>)[] = [];
  const stop = async () => {
    stopping.abort();
    for (const cleanup of cleanups.splice(0)) await cleanup();
  };
  try {
    return await start({ ...options, signal: stopping.signal, assemble, cleanups, stop });
  } catch (error) {
    await stop();
    throw error;
  }
};

interface StartOptions extends EmbeddedRunOptions {
  assemble: Assemble;
  signal: AbortSignal;
  cleanups: (() => Promise<void>)[];
  stop: () => Promise<void>;
}

const start = async (options: StartOptions): Promise<EmbeddedRun> => {
  const { assemble, cleanups, hourSeconds, signal, stop } = options;
  const stateDirectory = resolve(options.stateDirectory);
  const logDirectory = join(stateDirectory, 'logs');
  const assemblyDirectory = join(stateDirectory, 'cdk.out');
  const live: Live = { stacks: [] };
  // The ports first: a port that is taken is known at once and not after the synthesis.
  const { apiOrigin, awsOrigin, services } = await openServers(options, live);
  const [{ caCertificate, ...certificates }] = await Promise.all([
    prepareCertificates(stateDirectory),
    assemble(assemblyDirectory, { hourSeconds, signal }),
    mkdir(logDirectory, { recursive: true }),
  ]);
  const stacks = resolveStacks(await readAssembly(assemblyDirectory), { awsOrigin, apiOrigin });
  const running = await runStacks(stacks, {
    ...services,
    awsOrigin,
    caCertificate,
    logDirectory,
    onFailure: (functionName, { name, message, handlerStack }) => {
      const reason = `${name}: ${message}`;
      options.onFunctionFailure({ functionName, reason, stack: handlerStack });
    },
  });
  cleanups.unshift(running.stop);
  Object.assign(live, { running, stacks });
  return {
    api: apiOrigin,
    aws: awsOrigin,
    region: REGION,
    outputs: Object.fromEntries(
      stacks.flatMap(({ outputs }) => outputs.map(({ key, value }) => [key, value])),
    ),
    certificates,
    crash: (functionName) => crash(functionName, running),
    stop,
  };
};

const crash = async (functionName: string, { pools }: RunningStacks): Promise<number> => {
  const pool = [...pools.values()].find(({ settings: { name } }) => name.includes(functionName));
  if (!pool) throw new Error(`There is no function ${functionName}.`);
  return pool.crash();
};

/** What the servers answer from. Empty until everything runs. */
interface Live {
  stacks: readonly ResolvedStack[];
  running?: RunningStacks;
}

const openServers = async (
  { apiPort, awsPort, beforeAwsAnswer, hourSeconds, signal, cleanups }: StartOptions,
  live: Live,
) => {
  const api = await startApiServer(apiPort, () => live.running);
  cleanups.unshift(api.close);
  const { server, services } = await startAwsEndpoint(awsPort, (origin) => {
    const queues = createQueues(origin);
    const poolOf = (functionArn: string) => live.running?.pools.get(functionArn);
    const fire = createTargets({ queues, poolOf, hourSeconds, signal });
    const schedules = new Schedules({ clock: systemClock, hourSeconds, fire });
    return {
      queues,
      schedules,
      tables: createTables(),
      stacks: () => live.stacks,
      beforeAnswer: beforeAwsAnswer,
    };
  });
  cleanups.unshift(async () => services.schedules.stop(), services.queues.stop, server.close);
  return { apiOrigin: api.origin, awsOrigin: server.origin, services };
};

const startApiServer = (port: number, running: () => RunningStacks | undefined) =>
  startHttpServer({
    port,
    portOption: '--port',
    maximumBodyBytes: MAXIMUM_PAYLOAD_BYTES,
    handle: async (request: HttpRequest): Promise<HttpAnswer> =>
      running()?.restApi?.(request) ?? {
        status: 503,
        headers: [['retry-after', '1']],
        body: 'Still starting.\n',
      },
  });
