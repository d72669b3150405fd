export const secondMs = 1_000;
export const hourMs = 3_600 * secondMs;

/** How long an attempt waits for an endpoint, counted from the attempt's beginning. */
export interface AttemptLimits {
  readonly connectTimeoutMs: number;
  /** Until the head of the response. */
  readonly responseTimeoutMs: number;
}

/** When a delivery with a transient outcome is attempted again. */
export interface Backoff {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** From the first attempt to the last. */
  readonly windowMs: number;
}

/** The limits that customers rely on, and that the API's documents, e-mails and console name. */
export const customerLimits = {
  attempt: { connectTimeoutMs: 5 * secondMs, responseTimeoutMs: 15 * secondMs },
  backoff: { firstDelayMs: 15 * secondMs, maxDelayMs: hourMs, windowMs: 12 * hourMs },
  /** Different deliveries with a transient outcome in a row after which an integration is busy. */
  busyAfter: 20,
  /**
   * Different events refused in a row after which an integration is failed, where refusals are
   * tolerated: in a replay, or by its setting `onFatalError`.
   */
  failedAfter: 20,
  /** How long customers see a delivery. */
  deliveryLogRetentionDays: 30,
  /** The work for one event grows with their number. */
  integrationsPerAccount: 100,
  /** Made by the API, with those revoked or expired in the last 30 days. To count them, 300 KB are read. */
  accessTokensPerAccount: 1_000,
} as const satisfies { attempt: AttemptLimits; backoff: Backoff; [limit: string]: unknown };

const { attempt, backoff, busyAfter, deliveryLogRetentionDays, failedAfter } = customerLimits;
const { accessTokensPerAccount, integrationsPerAccount } = customerLimits;

/** For texts. */
export const IN_WORDS = {
  connectTimeout: `${attempt.connectTimeoutMs / secondMs} seconds`,
  responseTimeout: `${attempt.responseTimeoutMs / secondMs} seconds`,
  firstDelay: `${backoff.firstDelayMs / secondMs} seconds`,
  window: `${backoff.windowMs / hourMs} hours`,
  busyAfter: `${busyAfter} different events in a row`,
  failedAfter: `${failedAfter} different events`,
  logRetention: `${deliveryLogRetentionDays} days`,
  integrations: `${integrationsPerAccount} integrations`,
  accessTokens: `${accessTokensPerAccount.toLocaleString('en')} access tokens`,
} as const;

/** Why a failed webhook may be better off with `settings.onFatalError` `continue`. */
export const CONFIRMED_OTHERS = `Your endpoint confirmed other events within ${IN_WORDS.window} before it failed.`;
