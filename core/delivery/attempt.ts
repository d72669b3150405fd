import type { EventReference } from './delivery.ts';
import type { Outcome } from './outcome.ts';

/** What made us send: the event itself, a later try of it, or somebody who asked for it. */
export const TRIGGERS = ['event', 'backoff', 'hourly', 'replay', 'manual', 'test'] as const;

export type Trigger = (typeof TRIGGERS)[number];

/** One POST of one delivery, as the delivery log keeps it. */
export interface Attempt {
  readonly account: string;
  readonly integration: string;
  readonly event: EventReference;
  /** Counts from 1. */
  readonly number: number;
  readonly trigger: Trigger;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** When its message comes back, as planned when it ended; absent unless it backs off. */
  readonly nextAttemptAt?: Date;
}

export interface AttemptLog {
  /** Durable when it resolves. */
  record(attempt: Attempt): Promise<void>;
}

export interface DeliveryLogPurge {
  /** Removes a page of an integration's delivery log; whether nothing is left of it. */
  purgePage(integration: string): Promise<boolean>;
}
