import type { Delivery } from './resources.ts';

/** How often an open page reads. A hidden page reads nothing. */
export const READ_EVERY_MS = {
  /** While deliveries change. */
  changing: 2_500,
  /** Else: everything, but statistics. */
  quiet: 15_000,
  statistics: 60_000,
  /** At least, while reads fail. */
  failing: 10_000,
} as const;

/** For so long after a change another one is likely: a replay, or a customer who tries an endpoint. */
const AFTER_A_CHANGE_MS = 30_000;

/** An attempt that is due later than this is no reason to read often. */
const SOON_MS = 30_000;
/** An attempt that is due for longer has been made unseen, or waits for its hourly retry. */
const OVERDUE_MS = 60_000;

/** Whether the next attempt of a delivery is due about now. */
const isInFlight = ({ outcome, latestAttempt, isPending, isSetAside }: Delivery, now: Date) => {
  if (outcome !== 'transient' || isPending || isSetAside) return false;
  const dueInMs = Date.parse(latestAttempt?.nextAttemptAt ?? '') - now.getTime();
  return dueInMs < SOON_MS && dueInMs > -OVERDUE_MS;
};

/** Deliveries as they were read, and when a read last differed from the one before. */
export interface ReadDeliveries {
  readonly rows: readonly Delivery[];
  readonly changedAtMs?: number | undefined;
}

/** When to read deliveries again. */
export const deliveriesEveryMs = ({ rows, changedAtMs = 0 }: ReadDeliveries, now: Date): number =>
  now.getTime() - changedAtMs < AFTER_A_CHANGE_MS || rows.some((row) => isInFlight(row, now))
    ? READ_EVERY_MS.changing
    : READ_EVERY_MS.quiet;

/** What an open page of a webhook without trouble reads while nothing happens, and how often. */
export const QUIET_PAGE_MS = {
  deliveries: READ_EVERY_MS.quiet,
  webhook: READ_EVERY_MS.quiet,
  webhooks: READ_EVERY_MS.quiet,
  statistics: READ_EVERY_MS.statistics,
} as const;
