import type {
  Attempt,
  OutcomeClass,
  PostResult,
  Reason,
  Trigger,
} from '../../core/delivery/attempt.ts';
import type { Delivery, EventReference } from '../../core/delivery/delivery.ts';
import type { LoggedDelivery } from '../../core/delivery/delivery-log.ts';
import { type BodyOwner, type Pieces, piecesOf } from './dynamodb-body-pieces.ts';

/**
 * Key of table DeliveryLog, by the kind of item:
 *
 * | item | integration | entry |
 * |---|---|---|
 * | a delivery's listing | bare id | `<occurredAt>#<event id>` |
 * | a delivery's event, with the body | bare id | `event#<event id>` |
 * | pieces of a large body | bare id | `body#event#<event id>#<hash>#<index>` |
 * | an attempt | bare id | `attempt#<event id>#<startedAt>#<number>` |
 *
 * An event's id has no `#`. A listing's entry begins with a year, so listings sort before all other
 * items.
 */
export interface DeliveryLogKey {
  readonly integration: string;
  readonly entry: string;
}

/** The table's sort key. */
export const ENTRY = 'entry';

/** Only the entries of listings sort before this text. */
export const END_OF_LISTING = 'attempt#';

/** Entries are compared as text: `toISOString` writes all instants in the same form. */
export const listingEntry = ({ id, occurredAt }: Pick<EventReference, 'id' | 'occurredAt'>) =>
  `${new Date(occurredAt).toISOString()}#${id}`;

export const eventEntry = (eventId: string): string => `event#${eventId}`;

/** The prefix of the entries of all attempts of one delivery, which sort by when they started. */
export const attemptsPrefix = (eventId: string): string => `attempt#${eventId}#`;

const attemptEntry = ({
  event,
  startedAt,
  number,
}: Pick<Attempt, 'event' | 'startedAt' | 'number'>): string =>
  `${attemptsPrefix(event.id)}${startedAt.toISOString()}#${number}`;

/** The item that the pieces of a delivery's body belong to. */
export const bodyOwner = (integration: string, eventId: string): BodyOwner => ({
  partition: integration,
  sortKey: eventEntry(eventId),
});

/** An attempt as attributes of an item, without the response. Instants are RFC 3339. */
export interface StoredAttempt {
  readonly number: number;
  readonly trigger: Trigger;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: OutcomeClass;
  /** Absent without an answer: then there is `reason` and, if the system gave one, `code`. */
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

/** May be missing, if the log could not be written when the event was routed. */
export interface EventItem extends Entry {
  /** Absent when the body is too large for the item and is stored as `pieces`. */
  readonly body?: string;
  readonly pieces?: Pieces;
}

export interface AttemptItem extends Entry, StoredAttempt {
  /** The first KiB of the response's body; absent without an answer. */
  readonly response?: string;
}

const DAY_S = 86_400;

/** When an item that was made at an instant expires: seconds since 1970. */
export const expiresAt = (at: Date, { retentionDays }: { retentionDays: number }): number =>
  Math.floor(at.getTime() / 1_000) + retentionDays * DAY_S;

export const eventItem = (
  { account, integration, event, body }: Delivery,
  expiry: number,
): EventItem => {
  const pieces = piecesOf(body);
  return {
    integration,
    entry: eventEntry(event.id),
    account,
    reference: event,
    ...(pieces === undefined ? { body } : { pieces }),
    expiresAt: expiry,
  };
};

export const attemptItem = (attempt: Attempt, expiry: number): AttemptItem => {
  const { result } = attempt.outcome;
  return {
    integration: attempt.integration,
    entry: attemptEntry(attempt),
    account: attempt.account,
    reference: attempt.event,
    ...storedAttempt(attempt),
    ...(result.kind === 'answered' && { response: result.responseStart }),
    expiresAt: expiry,
  };
};

export const storedAttempt = ({ outcome, nextAttemptAt, ...attempt }: Attempt): StoredAttempt => {
  const { result } = outcome;
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: outcome.class,
    ...(result.kind === 'answered'
      ? { statusCode: result.statusCode }
      : { reason: result.reason, ...(result.code !== undefined && { code: result.code }) }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: nextAttemptAt.toISOString() }),
  };
};

type Owner = Pick<ListingItem, 'account' | 'integration' | 'reference'>;

export const deliveryOf = (item: ListingItem): LoggedDelivery => ({
  account: item.account,
  integration: item.integration,
  event: item.reference,
  ...(item.deliveredAt !== undefined && { deliveredAt: item.deliveredAt }),
  ...(item.latestAttempt && { latestAttempt: attemptFrom(item.latestAttempt, item) }),
});

export const attemptOf = (item: AttemptItem): Attempt =>
  attemptFrom(item, item, { responseStart: item.response });

const attemptFrom = (
  stored: StoredAttempt,
  { account, integration, reference }: Owner,
  { responseStart = '' }: { responseStart?: string | undefined } = {},
): Attempt => ({
  account,
  integration,
  event: reference,
  number: stored.number,
  trigger: stored.trigger,
  startedAt: new Date(stored.startedAt),
  durationMs: stored.durationMs,
  outcome: { class: stored.outcome, result: resultOf(stored, responseStart) },
  ...(stored.nextAttemptAt !== undefined && { nextAttemptAt: new Date(stored.nextAttemptAt) }),
});

const resultOf = (
  { statusCode, reason, code }: StoredAttempt,
  responseStart: string,
): PostResult => {
  if (statusCode !== undefined) return { kind: 'answered', statusCode, responseStart };
  if (reason === undefined) throw new Error('an attempt has neither a status nor a reason');
  return { kind: 'unanswered', reason, ...(code !== undefined && { code }) };
};
