import { RemovalPolicy } from 'aws-cdk-lib';

export const stageNames = ['local', 'dev', 'prod'] as const;
export type StageName = (typeof stageNames)[number];

/** What differs between stages. What does not is in `contract`, below. */
interface Settings {
  /** Tables refuse to be deleted, and stacks too. */
  readonly deletionProtection: boolean;
  /** Of what holds data: tables, their key, queues and logs. */
  readonly removalPolicy: RemovalPolicy;
  readonly logRetentionDays: 7 | 30 | 365;
  readonly throttling: Throttling;
  /** The one origin, such as the web console's, whose pages may call the API from a browser. */
  readonly corsOrigin?: string;
  /** A Lambda function gets one whole processor at 1,769 MB. */
  readonly memoryMb: { readonly api: number; readonly queue: number };
  /** Batches worked on at once; an event source takes 2 to 1,000. */
  readonly maximumConcurrency: {
    readonly routing: number;
    readonly delivery: number;
    readonly replay: number;
  };
  readonly attempt: AttemptLimits;
  readonly backoff: Backoff;
  /** Between the hourly retries of an integration in trouble: an hour, of the stage's Scheduler. */
  readonly retryIntervalMs: number;
}

interface Throttling {
  /** Of all callers together. */
  readonly requestsPerSecond: number;
  readonly burst: number;
  /** Of each access token. WAF counts, so it is a matter of seconds until it notices; at least 10. */
  readonly requestsPerMinuteAndToken: number;
  /** Of each address, with whatever token or none; at least 10. */
  readonly requestsPerMinuteAndAddress: number;
  /**
   * Of each route that makes an attempt while its caller waits, or has many made. A function can
   * wait 17 s for an endpoint, and the account's functions share their concurrency.
   */
  readonly costlyPerSecond: number;
}

/** What an endpoint is given from the beginning of an attempt on, in milliseconds. */
interface AttemptLimits {
  readonly connectTimeoutMs: number;
  /** Until the head of its response. */
  readonly responseTimeoutMs: number;
}

/** When an attempt with a transient outcome is made again, in milliseconds. */
interface Backoff {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** From the first attempt to the last. */
  readonly windowMs: number;
}

/**
 * Loopback endpoints are for runs on one's own machine: a function's runtime API listens on
 * loopback inside its sandbox. The types leave a deployed stage no way to allow them.
 */
export type StageSettings = Settings &
  (
    | { readonly stage: 'local'; readonly allowLoopback: true }
    | { readonly stage: 'dev' | 'prod'; readonly allowLoopback: false }
  );

const secondMs = 1_000;
const hourMs = 3_600 * secondMs;

const contractAttempt: AttemptLimits = {
  connectTimeoutMs: 5 * secondMs,
  responseTimeoutMs: 15 * secondMs,
};

/** An endpoint that hangs can be watched; one on the same machine, however busy it is, is in time. */
const watchableAttempt: AttemptLimits = {
  connectTimeoutMs: 4 * secondMs,
  responseTimeoutMs: 6 * secondMs,
};

const contractBackoff: Backoff = {
  firstDelayMs: 15 * secondMs,
  maxDelayMs: hourMs,
  windowMs: 12 * hourMs,
};

/** Attempts after 1, 3, 7, 15, 23 and 30 seconds: a whole window, and a recovery, in a minute. */
const watchableBackoff: Backoff = {
  firstDelayMs: secondMs,
  maxDelayMs: 8 * secondMs,
  windowMs: 30 * secondMs,
};

const stages: { readonly [Stage in StageName]: StageSettings & { readonly stage: Stage } } = {
  local: {
    stage: 'local',
    allowLoopback: true,
    deletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    logRetentionDays: 7,
    throttling: {
      requestsPerSecond: 1_000,
      burst: 1_000,
      requestsPerMinuteAndToken: 60_000,
      requestsPerMinuteAndAddress: 60_000,
      costlyPerSecond: 100,
    },
    memoryMb: { api: 512, queue: 512 },
    maximumConcurrency: { routing: 2, delivery: 4, replay: 2 },
    attempt: watchableAttempt,
    backoff: watchableBackoff,
    retryIntervalMs: hourMs,
  },
  dev: {
    stage: 'dev',
    allowLoopback: false,
    deletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    logRetentionDays: 30,
    throttling: {
      requestsPerSecond: 20,
      burst: 40,
      requestsPerMinuteAndToken: 300,
      requestsPerMinuteAndAddress: 600,
      costlyPerSecond: 2,
    },
    memoryMb: { api: 512, queue: 512 },
    maximumConcurrency: { routing: 5, delivery: 10, replay: 2 },
    attempt: contractAttempt,
    backoff: contractBackoff,
    retryIntervalMs: hourMs,
  },
  prod: {
    stage: 'prod',
    allowLoopback: false,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    logRetentionDays: 365,
    throttling: {
      requestsPerSecond: 200,
      burst: 400,
      requestsPerMinuteAndToken: 1_200,
      requestsPerMinuteAndAddress: 3_000,
      costlyPerSecond: 5,
    },
    memoryMb: { api: 1_024, queue: 1_769 },
    maximumConcurrency: { routing: 50, delivery: 400, replay: 20 },
    attempt: contractAttempt,
    backoff: contractBackoff,
    retryIntervalMs: hourMs,
  },
};

/** The promises made to customers, the same in every stage, and what follows from them. */
export const contract = {
  routeTimeoutMs: 30 * secondMs,
  /**
   * A batch's attempts run side by side, so the slowest takes one response timeout; twice as long
   * is left for reading the settings and writing the delivery log, each of which can take nine
   * seconds when DynamoDB is in trouble. Queue visibility follows, in the work queue. It is no
   * shorter in stage `local`, where the calls around an attempt may be slow for want of a processor.
   */
  deliverTimeoutMs: 3 * contractAttempt.responseTimeoutMs,
  /** One attempt, and reading and writing around it as above. */
  retryTimeoutMs: 3 * contractAttempt.responseTimeoutMs,
  /** A run that is out of time asks for another, so it only has to be many pages long. */
  replayTimeoutMs: 60 * secondMs,
  /**
   * Receives before SQS gives a delivery up. Whatever an endpoint does has its answer: 12 hours of
   * backoff take 23 receives at most, those of a busy integration's probes among them. What comes
   * back four times as often fails by our fault, for 7.5 hours if it is at each visibility timeout.
   */
  deliveryReceives: 100,
  /** Consecutive transient outcomes after which an integration is busy. */
  busyAfter: 20,
  deliveryLogRetentionDays: 30,
  /** A revoked token works for at most this long. */
  authorizerCacheSeconds: 60,
} as const;

const isStageName = (value: unknown): value is StageName =>
  stageNames.some((name) => name === value);

/**
 * `hourSeconds` is how long an hour of the local Scheduler lasts. Throws for one that is no whole
 * number of seconds, and for one that a deployed stage is given: its hours are AWS's. `corsOrigin`
 * is an origin as browsers write it; throws for what is none, `*` included.
 */
export const settingsFor = (
  stage: unknown,
  { hourSeconds, corsOrigin }: { hourSeconds?: unknown; corsOrigin?: unknown } = {},
): StageSettings | undefined => {
  if (!isStageName(stage)) return undefined;
  if (corsOrigin !== undefined) {
    return { ...settingsOf(stage, hourSeconds), corsOrigin: originOf(corsOrigin) };
  }
  return settingsOf(stage, hourSeconds);
};

const originOf = (text: unknown): string => {
  const origin = String(text);
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw new Error('corsOrigin must be an origin, such as https://console.example.com.');
};

const settingsOf = (stage: StageName, hourSeconds: unknown): StageSettings => {
  if (hourSeconds === undefined) return stages[stage];
  if (stage !== 'local') throw new Error(`An hour of stage "${stage}" cannot be shortened.`);
  if (!/^[1-9]\d{0,8}$/.test(String(hourSeconds))) {
    throw new Error('hourSeconds must be a positive whole number.');
  }
  return { ...stages.local, retryIntervalMs: Number(hourSeconds) * secondMs };
};
