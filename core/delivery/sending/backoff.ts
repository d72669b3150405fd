import type { IntegrationKey } from '../../integration/integration.ts';
import { endOf } from '../attempt.ts';
import type { Backoff, Delivery } from '../delivery.ts';
import { msBetween, type Unconfirmed, windowSince } from './event-window.ts';

export interface BackoffPolicy {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** From the first attempt to the last attempt, which is made at the end of the window. */
  readonly windowMs: number;
}

/** Each delay is up to this share longer or shorter, so that deliveries spread out. */
const JITTER = 0.2;

/**
 * Doubles up to `maxDelayMs`, with jitter. A longer Retry-After wins, up to `maxDelayMs`. The last
 * attempt is at the end of the window; undefined after the window.
 */
export const nextDelayMs = (
  policy: BackoffPolicy,
  attempt: {
    /** Number of the attempt just made, counted from 1. */
    readonly number: number;
    readonly sinceFirstMs: number;
    readonly retryAfterMs?: number | undefined;
    /** Uniform in [0, 1). */
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

/** The obsolete date of C's asctime, which is in GMT (RFC 9110 section 5.6.7). */
const ASCTIME = /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** The delay of a Retry-After header, in seconds or as an HTTP date; undefined for other texts. */
export const retryAfterMs = (header: string | undefined, now: Date): number | undefined => {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const date = ASCTIME.test(header) ? `${header} GMT` : header;
  // Other HTTP dates end in GMT. `Date.parse` alone finds a date in almost any text.
  const delayMs = / GMT$/.test(date) ? Date.parse(date) - now.getTime() : Number.NaN;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
};

/** The backoff of a delivery after so many further attempts, the first of them at `since`. */
export const backoffAfter = (
  { backoff }: Pick<Delivery, 'backoff'>,
  { attempts, hasSlot, since }: Pick<Backoff, 'attempts' | 'hasSlot'> & { since: Date },
): Backoff => ({
  since: backoff?.since ?? since.toISOString(),
  attempts: (backoff?.attempts ?? 0) + attempts,
  hasSlot,
});

/** When the next attempt of a delivery is due; undefined without a next one. */
export const nextAttemptAfter = (
  policy: BackoffPolicy,
  { delivery, integration, attempt }: Unconfirmed,
  { random }: { random: number },
): Date | undefined => {
  const { result, class: outcome } = attempt.outcome;
  if (outcome !== 'transient') return undefined;
  const at = endOf(attempt);
  const delayMs = nextDelayMs(policy, {
    number: (delivery.backoff?.attempts ?? 0) + 1,
    sinceFirstMs: msBetween(windowSince(delivery, integration), at),
    retryAfterMs: result.kind === 'answered' ? retryAfterMs(result.retryAfter, at) : undefined,
    random,
  });
  return delayMs === undefined ? undefined : new Date(at.getTime() + delayMs);
};

/** When each slot, such as `backoff7`, is free again, in milliseconds since 1970, if not now. */
export type Slots = Readonly<Record<string, number>>;

export interface SlotStore {
  /** Takes a slot that is free at `now`, in milliseconds since 1970; else resolves to all slots. */
  takeSlot(
    integration: IntegrationKey,
    taking: { slot: string; now: number; until: number },
  ): Promise<'taken' | Slots>;
}

/** How many deliveries of one integration may back off in the deliveries queue. */
export interface BackoffLimits {
  /** While the endpoint confirms other deliveries. */
  readonly most: number;
  /** While the endpoint confirms nothing: the probes. At most `most`. */
  readonly probes: number;
}

/** Tries before a slot counts as unavailable: others take slots at the same time. */
const MAX_TRIES = 10;

/**
 * Takes one of an integration's first `limit` slots, which bound its messages that wait by
 * visibility timeout. The clock alone frees a slot: a process that dies leaves nothing to clean up.
 */
export const buildTakeSlot =
  (ports: { slots: SlotStore; random: () => number }) =>
  async (
    integration: IntegrationKey,
    { limit, now, until }: { limit: number; now: Date; until: Date },
  ): Promise<boolean> => {
    let slots: Slots = {};
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const free = freeSlots(slots, { limit, nowMs: now.getTime() });
      const slot = free[Math.floor(ports.random() * free.length)];
      if (slot === undefined) return false;
      const taking = { slot, now: now.getTime(), until: until.getTime() };
      const taken = await ports.slots.takeSlot(integration, taking);
      if (taken === 'taken') return true;
      slots = taken;
    }
    return false;
  };

const freeSlots = (slots: Slots, { limit, nowMs }: { limit: number; nowMs: number }): string[] =>
  Array.from({ length: limit }, (_, number) => `backoff${number}`).filter(
    (slot) => (slots[slot] ?? 0) <= nowMs,
  );
