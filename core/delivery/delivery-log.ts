import type { EventType } from '../event/event-types.ts';
import type { Attempt, OutcomeClass } from './attempt.ts';
import type { Delivery, EventReference } from './delivery.ts';

/** A delivery as the log lists it. Instants are RFC 3339. */
export interface LoggedDelivery {
  readonly account: string;
  /** The integration's bare id. */
  readonly integration: string;
  readonly event: EventReference;
  /** When an attempt was first confirmed: a delivered delivery stays delivered. */
  readonly deliveredAt?: string;
  /** Absent before the first attempt. Its `responseStart` is empty: `attemptsOf` has the responses. */
  readonly latestAttempt?: Attempt;
}

/** What became of a delivery so far: `delivered` once an attempt was confirmed, else the latest attempt's outcome. */
export const outcomeOf = ({
  deliveredAt,
  latestAttempt,
}: LoggedDelivery): OutcomeClass | undefined =>
  deliveredAt === undefined ? latestAttempt?.outcome.class : 'delivered';

/** The delivery log as those use it who deliver. */
export interface DeliveryLog {
  /**
   * Lists deliveries, with their bodies. A delivery that is listed already stays as it is. Kept as
   * long as an attempt of today. Durable when it resolves.
   */
  open(deliveries: readonly Delivery[]): Promise<void>;
  /** Durable when it resolves. */
  record(attempt: Attempt): Promise<void>;
  /** Whether the log has a confirmed attempt of the delivery; strongly consistent. */
  wasDelivered(delivery: Delivery): Promise<boolean>;
  /** Removes a page of an integration's log; whether the log is empty now. */
  purgePage(integration: string): Promise<boolean>;
}

export interface DeliveryFilter {
  readonly outcome?: OutcomeClass;
  readonly eventType?: EventType;
  /** Of when the event occurred, inclusive. */
  readonly since?: Date;
  /** Of when the event occurred, exclusive. */
  readonly until?: Date;
}

/** Where a page ends, and the next begins: an opaque text. */
export type Cursor = string;

export interface DeliveryPage {
  readonly deliveries: readonly LoggedDelivery[];
  /** Absent at the end of the log. */
  readonly next?: Cursor;
}

/** The delivery log as those use it who look something up. */
export interface DeliveryLogReader {
  /** Newest first by when the events occurred. May be short, even empty, with a `next`. */
  newest(
    integration: string,
    options: { filter: DeliveryFilter; limit: number; after?: Cursor },
  ): Promise<DeliveryPage>;
  /** Oldest first: deliveries of events since an instant that were never delivered, without tests. */
  undelivered(
    integration: string,
    options: { since: Date; limit: number; after?: Cursor },
  ): Promise<DeliveryPage>;
  find(integration: string, eventId: string): Promise<LoggedDelivery | undefined>;
  /** The bytes that every attempt sends; undefined when the log no longer keeps them. */
  bodyOf(delivery: LoggedDelivery): Promise<string | undefined>;
  /** Oldest first, the latest thousand. */
  attemptsOf(integration: string, eventId: string): Promise<readonly Attempt[]>;
}
