import type { RemovalPolicy } from 'aws-cdk-lib';
import type { AttemptLines } from '../lambdas/runtime/environment.ts';
import type { FunctionName } from './constructs/function-bundles.ts';

export const RELEASES = ['gradual', 'at-once'] as const;
type Release = (typeof RELEASES)[number];

export const stageNames = ['local', 'dev', 'prod'] as const;
export type StageName = (typeof stageNames)[number];

/** The settings that differ between stages. `limits` has the others, among them all that customers rely on. */
interface Settings {
  /** Whether tables and stacks refuse to be deleted. */
  readonly deletionProtection: boolean;
  /** For everything that keeps data: tables, their key, users, queues and logs. */
  readonly removalPolicy: RemovalPolicy;
  /** Whether KMS rotates the key of the tables every year, which it bills. */
  readonly tableKeyRotation: boolean;
  /** The key of the secrets, if the stage does not make one. */
  readonly secretsKeyArn?: string;
  /** Whether AWS Backup backs up the tables that can be restored, every day. */
  readonly backups: boolean;
  /** The vault of another region that gets a copy of each backup. */
  readonly backupCopyVaultArn?: string;
  readonly logRetentionDays: 7 | 30 | 365;
  /**
   * Events a second for which the two busy tables have capacity that is paid by the hour, and more
   * while there are more. Absent: each request is paid.
   */
  readonly provisioned?: number;
  /** Accounts and ARNs, separated by commas, that may send events beside those of this account. */
  readonly producers?: string;
  /** ARNs of roles, separated by commas, that may create links to the web console. */
  readonly consoleLinkRoles?: string;
  /** The platform's page that opens the web console by a link. */
  readonly platformUrl?: string;
  /** Which attempts get a log line of their own. Delivered attempts are always in the delivery log. */
  readonly attemptLines: AttemptLines;
  /** Whether functions and API send traces of a sample of their calls to X-Ray. */
  readonly tracing: boolean;
  /** Whether endpoints get the trace context of events. */
  readonly sendTraceparent: boolean;
  /** Whether the stage has a dashboard, which is billed. */
  readonly dashboard: boolean;
  readonly throttling: Throttling;
  /** How a new version of a function takes traffic. `unversioned` functions have no aliases. */
  readonly release: Release | 'unversioned';
  /** Whether the stage has its alarms, which are billed. */
  readonly alarms: boolean;
  /** The address of the runbook, whose headings the alarms name; by default its path in the repository. */
  readonly runbookUrl?: string;
  /** Whether an event of our own goes through the stage every five minutes. */
  readonly canary: boolean;
  /** Whether the stage has a web ACL, which enforces the limits of each token and address. */
  readonly webAcl: boolean;
  /**
   * Of stage `local`: the origin whose pages may call the API from a browser, and the provider whose
   * tokens the authorizer accepts. Deployed stages have both from their own web console.
   */
  readonly corsOrigin?: string;
  readonly signIn?: SignIn;
  /**
   * Whether users need an authenticator app to sign in to the web console. Cognito's pages let a user
   * add an app only if it is required.
   */
  readonly secondFactor: 'optional' | 'required';
  /** The address that e-mails about failures come from: an identity of SES. Absent: no e-mails. */
  readonly mailFrom?: string;
  /**
   * In MB, for functions of the API and of queues. 1,769 MB is one whole processor in Lambda.
   * Functions of queues mostly wait, and many run at once; the replay of an integration is one run
   * at a time. The slow lane makes two hundred attempts at once in each.
   */
  readonly memoryMb: {
    readonly api: number;
    readonly queue: number;
    readonly slow: number;
    readonly replay: number;
  };
  /**
   * How many batches of a queue are processed at once; an event source takes 2 to 1,000. All functions
   * of the AWS account share one concurrency, so the sum must leave room for the API. A new account may
   * have 10 (docs/operators/deploy.md#concurrency).
   */
  readonly maximumConcurrency: {
    readonly routing: number;
    readonly delivery: number;
    /** Of the slow lane, whose batches are twenty times as large. */
    readonly slow: number;
    readonly replay: number;
    readonly retry: number;
  };
  /**
   * How long events, and then deliveries, are gathered for a batch: 0 to 10. Fuller batches cost less
   * (docs/operators/costs.md#batching-window), and each event arrives up to twice as much later.
   */
  readonly batchingWindowSeconds: number;
  /**
   * Whether functions of queues reserve their concurrency, so that no flood of the API can take it.
   * The functions of the API share the rest: a reservation is a bound, too, and their requests come in
   * bursts. AWS keeps 100 for other functions, so that a new account cannot reserve any.
   */
  readonly reservesConcurrency: boolean;
  /** How long a call of AWS may take before it is repeated, if longer than usual. */
  readonly awsCallTimeoutMs?: number;
  /** How long a delivery waits for each of its calls to the delivery log. */
  readonly deliveryLogDeadlineMs: number;
  /**
   * How long changes of the delivery log are gathered before their attempts are counted: 1 to 300.
   * The longer, the fewer writes, and the later an attempt is in the statistics.
   */
  readonly countingWindowSeconds: number;
  /**
   * Time between the hourly retries of an integration in trouble: an hour of the Scheduler, which a
   * local run may shorten. The backoff is shortened by as much.
   */
  readonly retryIntervalMs: number;
}

/** The OpenID provider where people sign in to the web console. */
export interface SignIn {
  readonly issuer: string;
  /** The console, as the provider knows it. */
  readonly clientId: string;
  /** Where the provider publishes the keys that it signs with. */
  readonly jwksUri: string;
}

/**
 * Rates and bursts are of each method of each path, all callers together, and count in the gateway.
 * In `prod`, all bursts of the methods of a function at once, and one method at its rate, fit into
 * what the functions of the API share (docs/operators/capacity.md). A rate is several times the loop
 * of one caller, so that others are served beside it. WAF counts the limits of a caller per minute,
 * each at least 10, and takes up to minutes to notice an excess: they are at most a tenth of a
 * method's rate.
 */
export interface Throttling {
  /** Of reads. */
  readonly requestsPerSecond: number;
  readonly burst: number;
  /** Of methods that change settings, tokens and accounts. */
  readonly changesPerSecond: number;
  readonly changesBurst: number;
  /** Of methods that the platform calls for all customers, and of openings of links; their burst is that of changes. */
  readonly platformPerSecond: number;
  /** Of costly routes, which make an attempt while their caller waits, or cause many attempts. */
  readonly costlyPerSecond: number;
  readonly costlyBurst: number;
  /** Of methods that need no token. */
  readonly publicPerSecond: number;
  readonly publicBurst: number;
  /** For each access token. */
  readonly requestsPerMinuteAndToken: number;
  /** For each address, with any token or without a token. */
  readonly requestsPerMinuteAndAddress: number;
  /**
   * For each account, of all costly routes together, counted by the function. It bounds the
   * executions that wait for the endpoints of one account, and protects no other caller's share of a
   * method's rate, which is counted before.
   */
  readonly costlyPerMinuteAndAccount: number;
  /** For each access token, of all costly calls together: writes, searches and pages by outcome. */
  readonly costlyPerMinuteAndToken: number;
  /** For each address, likewise. */
  readonly costlyPerMinuteAndAddress: number;
  /** For each address, of the platform's methods and openings of links together. */
  readonly platformPerMinuteAndAddress: number;
  /** For each address, of all methods that need no token together. */
  readonly publicPerMinuteAndAddress: number;
}

/** Only stage `local` may allow endpoints on loopback, where in AWS a function's runtime API listens. */
export type StageSettings = Settings &
  (
    | { readonly stage: 'local'; readonly allowLoopback: true }
    | { readonly stage: 'dev' | 'prod'; readonly allowLoopback: false }
  );

/** How Lambda polls a queue for its function. */
export interface EventSource {
  /** Messages of a batch: 1 to 10, or up to 10,000 with a window. A batch has at most 6 MB. */
  readonly batchSize: number;
  /** How long messages are gathered for a batch; at least a second for more than 10 messages. */
  readonly batchingWindowSeconds?: number;
  /** How many batches are processed at once: 2 to 1,000. */
  readonly maximumConcurrency: number;
}

const CONCURRENCY_OF: Partial<Record<FunctionName, keyof StageSettings['maximumConcurrency']>> = {
  'route-event': 'routing',
  'deliver-webhook': 'delivery',
  'deliver-slowly': 'slow',
  'run-replay': 'replay',
  'retry-hourly': 'retry',
};

/** As much as the event source of the function uses; undefined if the function shares. */
export const reservedConcurrencyOf = (
  name: FunctionName,
  { maximumConcurrency, reservesConcurrency }: StageSettings,
): number | undefined => {
  const queue = CONCURRENCY_OF[name];
  return reservesConcurrency && queue ? maximumConcurrency[queue] : undefined;
};

/** The event source of each queue. */
export const eventSourcesOf = ({
  maximumConcurrency,
  batchingWindowSeconds,
}: Pick<StageSettings, 'maximumConcurrency' | 'batchingWindowSeconds'>) =>
  ({
    events: {
      batchSize: 10,
      batchingWindowSeconds,
      maximumConcurrency: maximumConcurrency.routing,
    },
    deliveries: {
      batchSize: 10,
      batchingWindowSeconds,
      maximumConcurrency: maximumConcurrency.delivery,
    },
    // Attempts of the slow lane mostly wait.
    slowLane: {
      batchSize: 200,
      batchingWindowSeconds: 1,
      maximumConcurrency: maximumConcurrency.slow,
    },
    // A run may use its whole time for one integration.
    replays: { batchSize: 1, maximumConcurrency: maximumConcurrency.replay },
    retries: { batchSize: 10, maximumConcurrency: maximumConcurrency.retry },
    // A mail takes a seventh of a second: SES's usual 14 a second need no more than two at once. One
    // request at a time, because a request that waits must not be overtaken by the next of its group.
    notices: { batchSize: 1, maximumConcurrency: 2 },
  }) satisfies Record<string, EventSource>;
