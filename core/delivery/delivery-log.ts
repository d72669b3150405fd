import type { EventType } from '../events/event-type.ts';
import type { Attempt } from './attempt.ts';
import type { Delivery, EventReference } from './delivery.ts';
import type { OutcomeClass } from './outcome.ts';

/** A delivery as the log lists it. Instants are RFC 3339. */
export interface LoggedDelivery {
  readonly account: string;
  /** The integration's bare id. */
  readonly integration: string;
  readonly event: EventReference;
  /** When an attempt was first confirmed: a delivery that arrived stays one. */
  readonly deliveredAt?: string;
  /** Absent while none was made. Its `responseStart` is empty: `attemptsOf` has it. */
  readonly latestAttempt?: Attempt;
}

/** What became of a delivery so far: `delivered` once it arrived, else what the latest attempt came to. */
export const outcomeOf = ({
  deliveredAt,
  latestAttempt,
}: LoggedDelivery): OutcomeClass | undefined =>
  deliveredAt === undefined ? latestAttempt?.outcome.class : 'delivered';

export interface DeliveryLog {
  /**
   * Lists deliveries, with the bodies that are sent. One that is listed already stays as it is. Kept
   * as long as an attempt of today. Durable when it resolves.
   */
  open(deliveries: readonly Delivery[]): Promise<void>;
}

export interface Arrivals {
  /** Whether an attempt of the delivery was confirmed, as far as the log knows; strongly consistent. */
  hasArrived(delivery: Delivery): Promise<boolean>;
}

export interface DeliveryFilter {
  readonly outcome?: OutcomeClass;
  readonly eventType?: EventType;
  /** Of when the event occurred, inclusive. */
  readonly since?: Date;
  /** Exclusive. */
  readonly until?: Date;
}

/** Where a page ends, and the next begins: an opaque text. */
export type Cursor = string;

export interface DeliveryPage {
  readonly deliveries: readonly LoggedDelivery[];
  /** Absent at the end of the log. */
  readonly next?: Cursor;
}

export interface DeliveryHistory {
  /** Newest first by when the events occurred. May be short, even empty, with a `next`. */
  newest(
    integration: string,
    options: { filter: DeliveryFilter; limit: number; after?: Cursor },
  ): Promise<DeliveryPage>;
  /** Oldest first, those that occurred at `since` or later and did not arrive, without tests. */
  undelivered(
    integration: string,
    options: { since: Date; limit: number; after?: Cursor },
  ): Promise<DeliveryPage>;
  find(integration: string, eventId: string): Promise<LoggedDelivery | undefined>;
  /** The bytes that are sent on every attempt; undefined when they are no longer kept. */
  bodyOf(delivery: LoggedDelivery): Promise<string | undefined>;
  /** Oldest first, the latest thousand. */
  attemptsOf(integration: string, eventId: string): Promise<readonly Attempt[]>;
}
