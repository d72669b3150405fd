import { join, resolve } from 'node:path';
import { REGION } from './arn.ts';
import { type Intercept, startAwsEndpoint } from './aws/endpoint.ts';
import { createEventBuses, type PublishedEvent } from './aws/event-buses.ts';
import { createKeys } from './aws/keys.ts';
import { createMails, type SentMail } from './aws/mails.ts';
import { createQueues } from './aws/queues.ts';
import { createTables } from './aws/tables.ts';
import { type Certificates, prepareCertificates, tlsOf } from './certificates.ts';
import { type ListeningOptions, startHttpServer } from './http-server.ts';
import { type AccessGuard, createAccessGuard, createAccessLog } from './iam/access-guard.ts';
import type { ApiCaller } from './rest-api/request-signature.ts';
import { MAXIMUM_PAYLOAD_BYTES } from './rest-api/rest-api.ts';
import { type RunningStacks, runStacks } from './running-stacks.ts';
import { createTarget, Schedules, systemClock } from './scheduler/schedules.ts';
import { makeFolder } from './state-folder.ts';
import { readAssembly } from './template/assembly.ts';
import { type ResolvedStack, resolveStacks } from './template/stacks.ts';

export interface LocalAwsOptions {
  apiPort: number;
  awsPort: number;
  /** For the authority and its certificates, the cloud assembly, the functions' logs and their compiled code. */
  stateDirectory: string;
  /** How many seconds an hour of a schedule's rate lasts. */
  hourSeconds: number;
  onFunctionFailure: (failure: {
    functionName: string;
    reason: string;
    stack?: string | undefined;
  }) => void;
  /** Whether functions call AWS by messages to this process, for speed, instead of HTTP. */
  handsOverAwsCalls?: boolean;
  interceptAws?: Intercept;
  /** The sessions of IAM that can sign requests to the API. */
  apiCallers?: readonly ApiCaller[];
  /**
   * Environment variables of functions that have the API's address over HTTPS, with a certificate
   * that only functions trust. All others have the address that people open.
   */
  secureVariables?: readonly string[];
  /** Called once every port is taken: no error of a port that was taken already comes later. */
  onListening?: () => void;
}

export interface LocalAws {
  api: string;
  /** Endpoint URL for the AWS command line and SDKs. */
  aws: string;
  region: string;
  /** Outputs of all stacks, by output key. */
  outputs: Record<string, string>;
  certificates: Pick<Certificates, 'caFile' | 'certFile' | 'keyFile'>;
  /** The latest events on the event bus, oldest first. */
  readonly published: readonly PublishedEvent[];
  /** The latest e-mails, oldest first. */
  readonly mailed: readonly SentMail[];
  /** Crashes the function whose name contains the text. Resolves to the invocations ended. */
  crash(functionName: string): Promise<number>;
  stop(): Promise<void>;
}

/** Writes a cloud assembly, as `cdk synth` does. Stops and throws when the signal aborts. */
export type Assemble = (
  directory: string,
  options: Pick<LocalAwsOptions, 'hourSeconds'> & { signal: AbortSignal },
) => Promise<void>;

/**
 * Runs the stacks of a cloud assembly. Throws when a port is taken or when the assembly needs
 * something that is not emulated.
 */
export const startLocalAws = async (
  options: LocalAwsOptions,
  assemble: Assemble,
): Promise<LocalAws> => {
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

interface StartOptions extends LocalAwsOptions {
  assemble: Assemble;
  signal: AbortSignal;
  cleanups: (() => Promise<void>)[];
  stop: () => Promise<void>;
}

const start = async (options: StartOptions): Promise<LocalAws> => {
  const { assemble, cleanups, hourSeconds, secureVariables = [], signal, stop } = options;
  const stateDirectory = resolve(options.stateDirectory);
  const logDirectory = join(stateDirectory, 'logs');
  const assemblyDirectory = join(stateDirectory, 'cdk.out');
  const live: Live = { stacks: [] };
  // The ports first, so that the error of a taken port comes before the long synthesis.
  const { apiOrigin, awsOrigin, answerAws, services } = await openServers(options, live);
  options.onListening?.();
  const [{ caCertificate, ...certificates }] = await Promise.all([
    prepareCertificates(stateDirectory),
    assemble(assemblyDirectory, { hourSeconds, signal }),
    makeFolder(logDirectory),
  ]);
  const templates = await readAssembly(assemblyDirectory);
  const secure =
    secureVariables.length > 0 && (await openApi({ tls: await tlsOf(certificates) }, live));
  if (secure) cleanups.unshift(secure.close);
  const secureApi = secure ? { origin: secure.origin, variables: secureVariables } : undefined;
  const stacks = resolveStacks(templates, { awsOrigin, apiOrigin, secureApi });
  const access = createAccessGuard(
    stacks.flatMap(({ resources }) => resources),
    createAccessLog(stateDirectory),
  );
  live.access = access;
  const running = await runStacks(stacks, {
    ...services,
    access,
    sandboxes: {
      awsOrigin,
      ...(options.handsOverAwsCalls && { answerAws }),
      caCertificate,
      compileCache: join(stateDirectory, 'compile-cache'),
    },
    logDirectory,
    apiCallers: options.apiCallers ?? [],
    onFailure: (functionName, { name, message, handlerStack }) => {
      const reason = `${name}: ${message}`;
      options.onFunctionFailure({ functionName, reason, stack: handlerStack });
    },
  });
  cleanups.unshift(running.stop);
  Object.assign(live, { running, stacks });
  const outputs = stacks.flatMap((stack) => stack.outputs.map(({ key, value }) => [key, value]));
  return {
    api: apiOrigin,
    aws: awsOrigin,
    region: REGION,
    outputs: Object.fromEntries(outputs),
    certificates,
    published: services.buses.published,
    mailed: services.mails.sent,
    crash: async (functionName) => {
      const pools = [...running.pools.values()];
      const pool = pools.find(({ settings: { name } }) => name.includes(functionName));
      if (!pool) throw new Error(`There is no function ${functionName}.`);
      return pool.crash();
    },
    stop,
  };
};

/** The parts of the run that the servers need for their answers. Empty until everything runs. */
interface Live {
  stacks: readonly ResolvedStack[];
  running?: RunningStacks;
  access?: AccessGuard;
}

const openApi = (options: Omit<ListeningOptions, 'prepare'>, live: Live) =>
  startHttpServer({
    ...options,
    maximumBodyBytes: MAXIMUM_PAYLOAD_BYTES,
    handle: (request) =>
      live.running?.restApi?.(request) ?? {
        status: 503,
        headers: [['retry-after', '1']],
        body: 'Still starting.\n',
      },
  });

const openServers = async (
  { apiPort, awsPort, hourSeconds, interceptAws, cleanups }: StartOptions,
  live: Live,
) => {
  const api = await openApi({ port: apiPort, portOption: '--port' }, live);
  cleanups.unshift(api.close);
  const { server, services, answerAws } = await startAwsEndpoint(awsPort, (origin) => {
    const queues = createQueues(origin);
    const invoke = (functionArn: string, input: string): boolean => {
      const pool = live.running?.pools.get(functionArn);
      // The pool reports a failure; nothing waits for the result.
      pool?.invoke(JSON.parse(input)).catch(() => {});
      return pool !== undefined;
    };
    const fire = createTarget({ send: queues.send, invoke }, () => live.access);
    const schedules = new Schedules({ clock: systemClock, hourSeconds, fire });
    return {
      queues,
      schedules,
      tables: createTables(),
      keys: createKeys(),
      buses: createEventBuses(),
      mails: createMails(),
      stacks: () => live.stacks,
      access: () => live.access,
      intercept: interceptAws,
    };
  });
  cleanups.unshift(
    async () => services.schedules.stop(),
    async () => services.queues.stop(),
    server.close,
  );
  return { apiOrigin: api.origin, awsOrigin: server.origin, answerAws, services };
};
