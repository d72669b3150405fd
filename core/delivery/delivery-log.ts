import type { Attempt, OutcomeClass } from './attempt.ts';
import type { Delivery } from './delivery.ts';

/** `listed`: without an attempt. `delivered`: with a confirmed attempt. */
type KnownLogged = 'nothing' | 'listed' | 'attempted' | 'delivered';

/** `unknown`: the log was not read, or could not be read. */
export type Logged = KnownLogged | 'unknown';

export interface LogReading {
  readonly logged: KnownLogged;
  /** When the event occurred as it is listed, if another time was asked for. RFC 3339. */
  readonly occurredAt?: string;
  /** Absent before the first. `backsOff`: another attempt is to follow it after a backoff. */
  readonly latestAttempt?: LoggedAttempt & { readonly number: number; readonly backsOff: boolean };
  /** Absent while there is none but the latest. */
  readonly firstAttempt?: LoggedAttempt;
  /** When the endpoint first confirmed an attempt. RFC 3339. */
  readonly deliveredAt?: string;
}

/** `startedAt`: RFC 3339. `statusCode`: absent without an answer. */
export interface LoggedAttempt {
  readonly startedAt: string;
  readonly outcome: OutcomeClass;
  readonly statusCode?: number | undefined;
}

export interface Reading extends Omit<LogReading, 'logged'> {
  readonly logged: Logged;
  readonly logFault?: unknown;
}

/** Never throws. */
export type ReadLog = (delivery: Delivery) => Promise<Reading>;

/** After an error the delivery counts as not delivered: deliveries go on without the log. */
export const readOrUnknown = (reading: Promise<LogReading>): Promise<Reading> =>
  reading.catch((logFault: unknown) => ({ logged: 'unknown', logFault }));

/** The position in the log at which a page ends: an opaque text. */
export type Cursor = string;

export interface LogEntry {
  readonly delivery: Delivery;
  readonly attempt: Attempt;
  /** The state in the log when the delivery's message was received. */
  readonly logged: Logged;
}

export interface DeliveryLog {
  /**
   * Adds attempts, for 30 days. Never undoes that a delivery was confirmed; only a success may
   * replace what was written since the delivery was read as `listed`. Durable when it resolves.
   * Resolves for each attempt to whether another message's attempt of the delivery is in the log
   * that was not there when the delivery was read.
   */
  write(entries: readonly LogEntry[]): Promise<readonly boolean[]>;
  /**
   * Lists deliveries that are not listed yet. Resolves to the error of each; `undefined`: durably
   * listed. Throws when nothing could be listed.
   */
  list(deliveries: readonly Delivery[]): Promise<readonly (Error | undefined)[]>;
  /** Strongly consistent. An error for a delivery that was not read; throws when none was. */
  read(
    deliveries: readonly Pick<Delivery, 'integration' | 'event'>[],
  ): Promise<readonly (LogReading | Error)[]>;
  /**
   * Whether one of the latest deliveries, some dozens without tests, was confirmed at this instant or
   * later.
   */
  confirmedSince(integration: string, since: Date): Promise<boolean>;
}
