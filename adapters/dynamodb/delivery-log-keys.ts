import type { Attempt, Trigger } from '../../core/delivery/attempt.ts';
import type { EventReference } from '../../core/delivery/delivery.ts';
import type { OutcomeClass, Reason } from '../../core/delivery/outcome.ts';
import type { BodyOwner, Pieces } from './dynamodb-body-pieces.ts';

/**
 * Keys of the DeliveryLog table, one function for each kind of item:
 *
 * | item | integration | entry |
 * |---|---|---|
 * | a delivery, for listing | bare id | `<occurredAt>#<event id>` |
 * | its event, with the body | bare id | `event#<event id>` |
 * | pieces of a large body | bare id | `body#event#<event id>#<hash>#<index>` |
 * | one attempt | bare id | `attempt#<event id>#<startedAt>#<number>` |
 *
 * An event's id has no `#`. A listing entry begins with a year, so it sorts before all others.
 */
export interface DeliveryLogKey {
  readonly integration: string;
  readonly entry: string;
}

/** The table's sort key. */
export const ENTRY = 'entry';

/** Listing entries, and only they, sort before it. */
export const END_OF_LISTING = 'attempt#';

/** Instants are compared as text: `toISOString` writes all of them alike. */
export const listingEntry = ({ id, occurredAt }: Pick<EventReference, 'id' | 'occurredAt'>) =>
  `${new Date(occurredAt).toISOString()}#${id}`;

export const eventEntry = (eventId: string): string => `event#${eventId}`;

/** Begins the entries of all attempts of one delivery, which sort by when they started. */
export const attemptsPrefix = (eventId: string): string => `attempt#${eventId}#`;

export const attemptEntry = ({
  event,
  startedAt,
  number,
}: Pick<Attempt, 'event' | 'startedAt' | 'number'>): string =>
  `${attemptsPrefix(event.id)}${startedAt.toISOString()}#${number}`;

/** Whose the pieces of a delivery's body are. */
export const bodyOwner = (integration: string, eventId: string): BodyOwner => ({
  integration,
  sortKey: eventEntry(eventId),
});

/** An attempt as attributes, without the response. Instants are RFC 3339. */
export interface StoredAttempt {
  readonly number: number;
  readonly trigger: Trigger;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: OutcomeClass;
  /** Of an answer; else `reason` and, where the system has one, `code`. */
  readonly statusCode?: number;
  readonly reason?: Reason;
  readonly code?: string;
  readonly nextAttemptAt?: string;
}

interface Entry extends DeliveryLogKey {
  readonly account: string;
  readonly reference: EventReference;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

export interface ListingItem extends Entry {
  readonly latestAttempt?: StoredAttempt;
  readonly deliveredAt?: string;
}

/** Missing when the log could not be written as the event was routed: its attempts still tell it. */
export interface EventItem extends Entry {
  /** Or in pieces beside it. */
  readonly body?: string;
  readonly pieces?: Pieces;
}

export interface AttemptItem extends Entry, StoredAttempt {
  /** Of an answer: how its body began. */
  readonly response?: string;
}

const DAY_S = 86_400;

/** When an entry of that instant is no longer kept. */
export const expiresAt = (at: Date, { retentionDays }: { retentionDays: number }): number =>
  Math.floor(at.getTime() / 1_000) + retentionDays * DAY_S;
