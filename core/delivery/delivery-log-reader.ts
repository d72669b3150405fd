import type { EventType } from '../event/event-types.ts';
import * as cursors from '../json-ld/cursor.ts';
import type { Attempt, OutcomeClass } from './attempt.ts';
import type { EventReference } from './delivery.ts';
import type { Cursor } from './delivery-log.ts';

/** A delivery as the log lists it. Instants are RFC 3339. */
export interface LoggedDelivery {
  readonly account: string;
  /** The integration's bare id. */
  readonly integration: string;
  readonly event: EventReference;
  /** When the endpoint first confirmed an attempt. Later attempts do not change this. */
  readonly deliveredAt?: string;
  /** Absent before the first attempt. Its `responseStart` is empty; `attemptsOf` has responses. */
  readonly latestAttempt?: Attempt;
}

/** `delivered` once an attempt was confirmed, else the outcome of the latest attempt. */
export const outcomeOf = ({
  deliveredAt,
  latestAttempt,
}: LoggedDelivery): OutcomeClass | undefined =>
  deliveredAt === undefined ? latestAttempt?.outcome.class : 'delivered';

/** A test has one attempt. Nothing follows from the form of an event's id. */
export const isTest = ({ latestAttempt }: LoggedDelivery): boolean =>
  latestAttempt?.trigger === 'test';

export interface DeliveryFilter {
  /** Those that were confirmed, or those that were not, without tests: what a recovery sends. */
  readonly isDelivered?: boolean;
  readonly outcome?: OutcomeClass;
  readonly eventType?: EventType;
  /** Events that occurred at this instant or later. */
  readonly since?: Date;
  readonly until?: Date;
}

export interface DeliveryPage {
  readonly deliveries: readonly LoggedDelivery[];
  /** Absent at the end of the log. */
  readonly next?: Cursor;
}

/** Where the log may have deliveries. */
export interface LogPosition {
  /** When their events occurred, in milliseconds since 1970. */
  readonly occurredAt: number;
  /** The part of the integration's log that they are in: a number of the log's own. */
  readonly part: number;
}

/** Which deliveries are wanted. The times of the filter are left aside. */
export interface Wanted {
  readonly filter: DeliveryFilter;
  readonly isWanted: (delivery: LoggedDelivery, body: string) => boolean;
}

export interface DeliveryLogReader {
  /** Newest event first. A page with a `next` may be short, even empty. */
  newest(
    integration: string,
    options: { filter: DeliveryFilter; limit: number; after?: Cursor | undefined },
  ): Promise<DeliveryPage>;
  /** Undelivered deliveries of events since an instant, oldest first, without tests. */
  undelivered(
    integration: string,
    options: { since: Date; limit: number; after?: Cursor | undefined },
  ): Promise<DeliveryPage>;
  find(integration: string, eventId: string): Promise<LoggedDelivery | undefined>;
  /** Those at a position that are wanted. The bodies of the others are not kept: there may be many. */
  at(
    integration: string,
    position: LogPosition,
    wanted: Wanted,
  ): Promise<readonly LoggedDelivery[]>;
  /** Undefined when the log no longer has the body. */
  bodyOf(delivery: LoggedDelivery): Promise<string | undefined>;
  /** The latest thousand attempts of a delivery, oldest first. */
  attemptsOf(delivery: LoggedDelivery): Promise<readonly Attempt[]>;
}

/** As `positionOf` writes it. */
const POSITION = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[A-Za-z0-9_-]{1,64}$/;

/** The position of a cursor. Throws a `validation` refusal for what is not a cursor. */
export const positionIn = (cursor: Cursor): string => cursors.positionIn(cursor, POSITION);
