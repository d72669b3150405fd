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
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number };
  /** A Lambda function gets one whole processor at 1,769 MB. */
  readonly memoryMb: { readonly api: number; readonly queue: number };
  /** Batches worked on at once; an event source takes 2 to 1,000. */
  readonly maximumConcurrency: { readonly routing: number; readonly delivery: number };
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

const stages: { readonly [Stage in StageName]: StageSettings & { readonly stage: Stage } } = {
  local: {
    stage: 'local',
    allowLoopback: true,
    deletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    logRetentionDays: 7,
    throttling: { requestsPerSecond: 1_000, burst: 1_000 },
    memoryMb: { api: 512, queue: 512 },
    maximumConcurrency: { routing: 2, delivery: 4 },
  },
  dev: {
    stage: 'dev',
    allowLoopback: false,
    deletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    logRetentionDays: 30,
    throttling: { requestsPerSecond: 20, burst: 40 },
    memoryMb: { api: 512, queue: 512 },
    maximumConcurrency: { routing: 5, delivery: 10 },
  },
  prod: {
    stage: 'prod',
    allowLoopback: false,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    logRetentionDays: 365,
    throttling: { requestsPerSecond: 200, burst: 400 },
    memoryMb: { api: 1_024, queue: 1_769 },
    maximumConcurrency: { routing: 50, delivery: 400 },
  },
};

const connectTimeoutMs = 5_000;
const responseTimeoutMs = 15_000;

/** The promises made to customers, the same in every stage, and what follows from them. */
export const contract = {
  connectTimeoutMs,
  responseTimeoutMs,
  /**
   * A batch's attempts run side by side, so the slowest takes one response timeout; twice as long
   * is left for reading the settings and writing the delivery log, each of which can take nine
   * seconds when DynamoDB is in trouble. Queue visibility follows, in the queue consumer.
   */
  deliverTimeoutMs: 3 * responseTimeoutMs,
  attemptsRetentionDays: 30,
  /** A revoked token works for at most this long. */
  authorizerCacheSeconds: 60,
} as const;

const isStageName = (value: unknown): value is StageName =>
  stageNames.some((name) => name === value);

export const settingsFor = (stage: unknown): StageSettings | undefined =>
  isStageName(stage) ? stages[stage] : undefined;
