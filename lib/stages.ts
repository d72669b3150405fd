import { RemovalPolicy } from 'aws-cdk-lib';
import { hourMs, secondMs } from '../core/customer-limits.ts';
import { concurrencyIn } from './concurrency.ts';
import { type GivenOptions, optionsOf, settingsIn } from './deployment-options.ts';
import { type StageName, type StageSettings, stageNames } from './stage-settings.ts';

/** Settings of every stage, unless the stage or an option of its deployment says otherwise. */
const common = {
  tracing: false,
  sendTraceparent: false,
  webAcl: true,
  alarms: true,
  deliveryLogDeadlineMs: 1.5 * secondMs,
  batchingWindowSeconds: 0,
  countingWindowSeconds: 60,
  retryIntervalMs: hourMs,
} as const satisfies Partial<StageSettings>;

/** For stages that are there to try things. */
const trial = {
  ...common,
  deletionProtection: false,
  removalPolicy: RemovalPolicy.DESTROY,
  tableKeyRotation: false,
  backups: false,
  attemptLines: 'all',
  dashboard: false,
  canary: false,
  secondFactor: 'optional',
  release: 'unversioned',
  reservesConcurrency: false,
  memoryMb: { api: 512, queue: 512, slow: 1_024, replay: 512 },
} as const satisfies Partial<StageSettings>;

const stages: { readonly [Stage in StageName]: StageSettings & { readonly stage: Stage } } = {
  local: {
    ...trial,
    stage: 'local',
    allowLoopback: true,
    logRetentionDays: 7,
    throttling: {
      requestsPerSecond: 1_000,
      burst: 1_000,
      changesPerSecond: 1_000,
      changesBurst: 1_000,
      platformPerSecond: 1_000,
      costlyPerSecond: 100,
      costlyBurst: 2_000,
      publicPerSecond: 1_000,
      publicBurst: 1_000,
      requestsPerMinuteAndToken: 6_000,
      requestsPerMinuteAndAddress: 6_000,
      costlyPerMinuteAndAccount: 600,
      costlyPerMinuteAndToken: 600,
      costlyPerMinuteAndAddress: 600,
      platformPerMinuteAndAddress: 6_000,
      publicPerMinuteAndAddress: 6_000,
    },
    // Sandboxes that wait for an endpoint need no processor.
    maximumConcurrency: { routing: 2, delivery: 24, slow: 4, replay: 2, retry: 2 },
    // AWS shares the machine with everything else. Three tries end before the gateway's patience.
    awsCallTimeoutMs: 8 * secondMs,
    deliveryLogDeadlineMs: 8 * secondMs,
    countingWindowSeconds: 1,
    mailFrom: 'webhooks@localhost',
  },
  dev: {
    ...trial,
    stage: 'dev',
    allowLoopback: false,
    logRetentionDays: 30,
    throttling: {
      requestsPerSecond: 50,
      burst: 8,
      changesPerSecond: 5,
      changesBurst: 5,
      platformPerSecond: 10,
      costlyPerSecond: 2,
      costlyBurst: 5,
      publicPerSecond: 20,
      publicBurst: 8,
      requestsPerMinuteAndToken: 300,
      requestsPerMinuteAndAddress: 300,
      costlyPerMinuteAndAccount: 12,
      costlyPerMinuteAndToken: 12,
      costlyPerMinuteAndAddress: 12,
      platformPerMinuteAndAddress: 60,
      publicPerMinuteAndAddress: 120,
    },
    // Together the 10 concurrent executions that a new AWS account may have.
    maximumConcurrency: { routing: 2, delivery: 2, slow: 2, replay: 2, retry: 2 },
  },
  prod: {
    ...common,
    stage: 'prod',
    allowLoopback: false,
    deletionProtection: true,
    // A failed creation leaves empty tables and queues, which would be in the way of the next.
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    tableKeyRotation: true,
    backups: true,
    logRetentionDays: 365,
    attemptLines: 'undelivered',
    dashboard: true,
    canary: true,
    secondFactor: 'required',
    throttling: {
      requestsPerSecond: 600,
      burst: 14,
      changesPerSecond: 80,
      changesBurst: 14,
      platformPerSecond: 100,
      costlyPerSecond: 50,
      costlyBurst: 20,
      publicPerSecond: 400,
      publicBurst: 7,
      requestsPerMinuteAndToken: 600,
      // An office with its console pages, or the systems of many customers behind one address.
      requestsPerMinuteAndAddress: 3_000,
      costlyPerMinuteAndAccount: 30,
      costlyPerMinuteAndToken: 60,
      costlyPerMinuteAndAddress: 240,
      platformPerMinuteAndAddress: 600,
      publicPerMinuteAndAddress: 300,
    },
    release: 'gradual',
    // A batch of the largest events takes 150 MB in deliver-webhook, and 230 MB in route-event for 100
    // integrations. Deliveries wait more than they compute: with less memory they cost less.
    memoryMb: { api: 1_024, queue: 512, slow: 1_769, replay: 1_769 },
    // Together 660 of the 1,000 concurrent executions of an AWS account; the API shares the rest. 90 batches of ten retries, of
    // 25 seconds each if no endpoint answers, are more than the 33 a second of 20,000 integrations.
    maximumConcurrency: { routing: 50, delivery: 400, slow: 100, replay: 20, retry: 90 },
    reservesConcurrency: true,
  },
};

const isStageName = (value: unknown): value is StageName =>
  stageNames.some((name) => name === value);

/**
 * The settings of a stage; undefined if there is no such stage. Throws if an option has a value that
 * it cannot have, or is not for this stage.
 */
export const settingsFor = (
  stage: unknown,
  given: GivenOptions = {},
): StageSettings | undefined => {
  if (!isStageName(stage)) return undefined;
  const options = optionsOf(stage, given);
  return {
    ...stages[stage],
    ...(options.concurrency && concurrencyIn(options.concurrency, stages[stage])),
    ...settingsIn(options),
    ...(options.hourSeconds !== undefined && {
      retryIntervalMs: options.hourSeconds * secondMs,
    }),
  };
};
