/** When an attempt with a transient result is made again. Durations in milliseconds. */
export interface BackoffPolicy {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** From the first attempt to the last, which is made at the window's end. */
  readonly windowMs: number;
}

/** Each delay is drawn from this share around its mean, so that deliveries that failed together spread out. */
const JITTER = 0.2;

/**
 * Delay before the next attempt; undefined when the window is over and the attempt was the last.
 * `random` is uniform in [0, 1).
 */
export const nextDelayMs = (
  policy: BackoffPolicy,
  attempt: {
    /** Of the attempt just made; counts from 1. */
    readonly number: number;
    readonly sinceFirstMs: number;
    /** What the endpoint asked for. */
    readonly retryAfterMs?: number | undefined;
    readonly random: number;
  },
): number | undefined => {
  const leftMs = policy.windowMs - attempt.sinceFirstMs;
  if (leftMs <= 0) return undefined;
  const exponential = Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt.number - 1));
  const jittered = exponential * (1 + JITTER * (2 * attempt.random - 1));
  const askedFor = Math.min(policy.maxDelayMs, attempt.retryAfterMs ?? 0);
  return Math.min(leftMs, Math.max(jittered, askedFor));
};

/** The delay a Retry-After header asks for: seconds, or an HTTP date. */
export const retryAfterMs = (header: string | undefined, now: Date): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  // An HTTP date; `Date.parse` alone finds a date in almost any words.
  const delayMs = / GMT$/.test(header) ? Date.parse(header) - now.getTime() : Number.NaN;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
};
