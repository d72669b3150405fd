import type { Integration } from '../../integration/integration.ts';
import { type Attempt, endOf } from '../attempt.ts';
import { afterAttempt, type Backoff, type Delivery } from '../delivery.ts';

/** An attempt that the endpoint has not confirmed. */
export interface Unconfirmed {
  /** As it was before the attempt. */
  readonly delivery: Delivery;
  /** As it was read before the attempt. */
  readonly integration: Integration;
  readonly attempt: Attempt;
}

export interface WindowPolicy {
  retryIntervalMs: number;
  /** In which all attempts of an event must fail before the event is set aside. */
  windowMs: number;
}

/** Since when all attempts have failed with the present settings. Undefined before the first. */
export const windowSince = (
  { backoff }: Pick<Delivery, 'backoff'>,
  { updatedAt }: Pick<Integration, 'updatedAt'>,
): string | undefined => backoff && (backoff.since < updatedAt ? updatedAt : backoff.since);

export const isWindowOver = (
  { delivery, integration, attempt }: Unconfirmed,
  { windowMs }: Pick<WindowPolicy, 'windowMs'>,
): boolean => msBetween(windowSince(delivery, integration), endOf(attempt)) >= windowMs;

/** Of a shortest wait of five minutes, if events are retried every hour. */
const SHORTEST_WAITS_OF_INTERVAL = 12;

/**
 * The delivery after an attempt that the integration tolerates, and when it is due: it waits twice as
 * long as it has been failing, at last until the end of its window. A window that is over begins anew.
 */
export const afterTolerated = (
  unconfirmed: Unconfirmed,
  { retryIntervalMs, windowMs }: WindowPolicy,
): { readonly delivery: Delivery; readonly dueAt: Date } => {
  const { delivery, integration, attempt } = unconfirmed;
  const endedAt = endOf(attempt);
  const isContinued = !isWindowOver(unconfirmed, { windowMs });
  const since = (isContinued && windowSince(delivery, integration)) || endedAt.toISOString();
  const failingMs = msBetween(since, endedAt);
  const shortestMs = retryIntervalMs / SHORTEST_WAITS_OF_INTERVAL;
  const waitMs = Math.min(Math.max(shortestMs, 2 * failingMs), windowMs - failingMs);
  const before = isContinued ? (delivery.backoff?.attempts ?? 0) : 0;
  const backoff: Backoff = { since, attempts: before + 1, hasSlot: false };
  return {
    delivery: afterAttempt(delivery, backoff),
    dueAt: new Date(endedAt.getTime() + waitMs),
  };
};

export const msBetween = (from: string | undefined, to: Date): number =>
  from === undefined ? 0 : to.getTime() - Date.parse(from);
