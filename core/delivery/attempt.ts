import type { EventType } from '../events/event-type.ts';
import type { Outcome } from './outcome.ts';

/** What made us send: the event itself, or a later try of it. */
type Trigger = 'event' | 'backoff' | 'hourly' | 'replay' | 'manual' | 'test';

/** One POST of one delivery, as the delivery log keeps it. */
export interface Attempt {
  readonly account: string;
  readonly integration: string;
  readonly event: { readonly id: string; readonly type: EventType };
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
