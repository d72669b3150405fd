import type { EventReference } from './delivery.ts';
import type { Outcome } from './outcome.ts';

/** What made us send: the event itself, or a later try of it. */
export type Trigger = 'event' | 'backoff' | 'hourly' | 'replay' | 'manual' | 'test';

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
}

export interface AttemptLog {
  /** Durable when it resolves. */
  record(attempt: Attempt): Promise<void>;
}

export interface AttemptHistory {
  /** Removes a page of an integration's delivery log; whether nothing is left of it. */
  purgePage(integration: string): Promise<boolean>;
}
