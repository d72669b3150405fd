import { type Backoff, customerLimits, hourMs, secondMs } from '../core/customer-limits.ts';

const { responseTimeoutMs } = customerLimits.attempt;

/** The limits that customers rely on, and those that follow from them: the same in every stage. */
export const limits = {
  ...customerLimits,
  /**
   * Stage dev has a third of a processor: ten events of 256 KiB, a batch, for 100 integrations take
   * at most half of it.
   */
  routeTimeoutMs: 60 * secondMs,
  /**
   * The attempts of a batch run side by side, so the slowest takes one response timeout. Two more
   * remain for reading settings and for the writes after the attempts, each of which can take nine
   * seconds while DynamoDB throttles. Stage `local` has the same timeout, because these calls can be
   * slow on a busy machine.
   */
  deliverTimeoutMs: 3 * responseTimeoutMs,
  /**
   * The retries of a batch run side by side. Each makes up to three attempts, the last of which
   * begins at most eight seconds after the first and takes up to 17.
   */
  retryTimeoutMs: 3 * responseTimeoutMs,
  /** Enough for many pages. A run that is out of time requests another run. */
  replayTimeoutMs: 60 * secondMs,
  /** Enough for 1,000 writes, one for each hour of a batch, while some of them are throttled. */
  countTimeoutMs: 60 * secondMs,
  /** Enough for the three calls of each change of a batch, while some of them are throttled. */
  announceTimeoutMs: 60 * secondMs,
  /** Enough for the mails to the admins of an organisation, one after the other. */
  noticeTimeoutMs: 60 * secondMs,
  /**
   * Receives before SQS moves an event, a delivery or a replay to the dead-letter queue: SQS's
   * maximum. Growing delays between retries keep a message for the 14 days of its queue.
   */
  receives: 1_000,
  /** A retry that fails for a quarter of an hour is given up: the next hour's replaces it. */
  retryReceives: 20,
  /**
   * How many deliveries of one integration may back off in the deliveries queue. Of the 120,000
   * messages in flight of a standard queue, 2,400 integrations can use all their slots at once.
   */
  backoffSlots: 50,
  /** Slots of an integration whose endpoint confirms nothing: 20,000 such take half of the limit. */
  probes: 3,
  /** At this age a key pair that seals secrets is replaced: a stolen private key opens a quarter's. */
  keyPairDays: 90,
  /** How long a revoked token can go on working. */
  authorizerCacheSeconds: 60,
} as const;

/** The backoff of a stage, all of whose times shrink with its hours. Only a local run shortens them. */
export const backoffIn = ({ retryIntervalMs }: { retryIntervalMs: number }): Backoff => {
  const share = retryIntervalMs / hourMs;
  const { firstDelayMs, maxDelayMs, windowMs } = limits.backoff;
  return {
    firstDelayMs: Math.ceil(firstDelayMs * share),
    maxDelayMs: maxDelayMs * share,
    windowMs: windowMs * share,
  };
};

/** SQS's limit of messages in flight in a standard queue. */
export const IN_FLIGHT_LIMIT = 120_000;
