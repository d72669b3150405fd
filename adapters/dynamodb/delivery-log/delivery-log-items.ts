import { customerLimits } from '../../../core/customer-limits.ts';
import {
  type Attempt,
  endOf,
  type OutcomeClass,
  type Trigger,
} from '../../../core/delivery/attempt.ts';
import { type Delivery, type EventReference, positionOf } from '../../../core/delivery/delivery.ts';
import type { Reason } from '../../../core/integration/reasons.ts';
import { deflated, type PartitionedKey, partitionOf } from '../table/stored-deliveries.ts';
import { tellsItsTime } from './time-in-id.ts';

/**
 * Entries of table DeliveryLog: `<occurredAt>#<event id>` for a delivery, `attempt#<event
 * id>#<startedAt>#<number>` for an attempt after the first, `event#<event id>` for a pointer. An
 * event's id has no `#`. Entries of deliveries begin with a year, so they sort before the others.
 */
const ATTEMPT_PREFIX = 'attempt#';

/** Only the entries of deliveries sort before this text. */
export const END_OF_LISTING = ATTEMPT_PREFIX;

/** Whether an entry is of an attempt after the first. */
export const isOfAttempt = (entry: string): boolean => entry.startsWith(ATTEMPT_PREFIX);

/** Of a delivery: what its keys are made of. */
export interface Identified {
  readonly integration: string;
  readonly event: Pick<EventReference, 'id' | 'occurredAt'>;
}

export const deliveryKey = ({ integration, event }: Identified): PartitionedKey => ({
  partition: partitionOf(integration, event.id),
  entry: positionOf({ event }),
});

/** The prefix of the entries of a delivery's attempts, which sort by when they started. */
export const attemptsPrefix = (eventId: string): string => `${ATTEMPT_PREFIX}${eventId}#`;

export const pointerKey = (integration: string, eventId: string): PartitionedKey => ({
  partition: partitionOf(integration, eventId),
  entry: `event#${eventId}`,
});

interface Expiring extends PartitionedKey {
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** An attempt as attributes of an item. Instants are RFC 3339. */
export interface StoredAttempt {
  readonly number: number;
  readonly trigger: Trigger;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: OutcomeClass;
  /** Absent without an answer: then there is `reason` and, if the system gave one, `code`. */
  readonly statusCode?: number;
  readonly location?: string | undefined;
  readonly reason?: Reason;
  readonly code?: string;
  readonly nextAttemptAt?: string;
  /** The first KiB of the response's body; absent without an answer, or when it is empty. */
  readonly response?: string | undefined;
}

export const storedAttempt = ({ outcome, nextAttemptAt, ...attempt }: Attempt): StoredAttempt => {
  const { result } = outcome;
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    startedAt: attempt.startedAt.toISOString(),
    durationMs: attempt.durationMs,
    outcome: outcome.class,
    ...(result.kind === 'answered'
      ? {
          statusCode: result.statusCode,
          ...(result.location !== undefined && { location: result.location }),
          ...(result.responseStart !== '' && { response: result.responseStart }),
        }
      : { reason: result.reason, ...(result.code !== undefined && { code: result.code }) }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: nextAttemptAt.toISOString() }),
  };
};

export interface DeliveryItem extends Expiring {
  readonly account: string;
  readonly type: string;
  /** As the event has it; absent if the entry begins with the same text. */
  readonly occurredAt?: string;
  /** The compressed body; absent if a later attempt created the item again after it had expired. */
  readonly deflated?: Uint8Array;
  /** Absent before the first attempt, or if the log could not be written then. */
  readonly firstAttempt?: StoredAttempt;
  /** The latest attempt, without its response; absent while there is none but the first. */
  readonly latestAttempt?: StoredAttempt;
  readonly deliveredAt?: string;
}

export interface AttemptItem extends Expiring, StoredAttempt {}

/** Points to a delivery whose event's id does not contain the time of the event. */
export interface PointerItem extends Expiring {
  readonly occurredAt: string;
}

const RETENTION_S = customerLimits.deliveryLogRetentionDays * 86_400;

export const expiresAt = (at: Date): number => Math.floor(at.getTime() / 1_000) + RETENTION_S;

export const givenAttributes = ({ account, integration, event }: Delivery) => {
  const { entry } = deliveryKey({ integration, event });
  return {
    account,
    type: event.type,
    ...(entry !== entryWith(event) && { occurredAt: event.occurredAt }),
  };
};

export const bodyAttributes = ({ body }: Delivery): Pick<DeliveryItem, 'deflated'> => ({
  deflated: deflated(body),
});

/** As the event has it. */
export const occurredAtOf = ({ entry, occurredAt }: DeliveryItem): string =>
  occurredAt ?? entry.slice(0, entry.lastIndexOf('#'));

const entryWith = ({ id, occurredAt }: EventReference): string => `${occurredAt}#${id}`;

export const deliveryItem = (
  delivery: Delivery,
  attempt: Attempt | undefined,
  expiry: number,
): DeliveryItem => ({
  ...deliveryKey(delivery),
  ...givenAttributes(delivery),
  ...bodyAttributes(delivery),
  ...(attempt && { firstAttempt: storedAttempt(attempt) }),
  ...(attempt && deliveredAttributes(attempt)),
  expiresAt: expiry,
});

/** When the endpoint confirmed the attempt, for a confirmed attempt. */
export const deliveredAttributes = (attempt: Attempt): Pick<DeliveryItem, 'deliveredAt'> =>
  attempt.outcome.class === 'delivered' ? { deliveredAt: endOf(attempt).toISOString() } : {};

export const attemptItem = (attempt: Attempt, expiry: number): AttemptItem => {
  const { integration, event, startedAt, number } = attempt;
  return {
    partition: partitionOf(integration, event.id),
    entry: `${attemptsPrefix(event.id)}${startedAt.toISOString()}#${number}`,
    ...storedAttempt(attempt),
    expiresAt: expiry,
  };
};

/** One pointer for an event whose id does not contain its time, otherwise none. */
export const pointersOf = (
  { integration, event }: Identified,
  expiry: number,
): readonly PointerItem[] =>
  tellsItsTime(event)
    ? []
    : [
        {
          ...pointerKey(integration, event.id),
          occurredAt: event.occurredAt,
          expiresAt: expiry,
        },
      ];
