import type { EventReference } from '../delivery.ts';
import type { LogPosition } from '../delivery-log-reader.ts';

export interface SubjectKey {
  readonly account: string;
  /** The id of a message, contact or call. */
  readonly subject: string;
}

/** A delivery that the stream of the log brings. */
export interface StreamedDelivery extends SubjectKey {
  readonly integration: string;
  readonly event: Pick<EventReference, 'id' | 'occurredAt'>;
  /** When the log forgets it: seconds since 1970. */
  readonly expiresAt: number;
  /** The position in its shard: text that grows with each change. */
  readonly position: string;
}

/** Days of UTC, counted from 1970-01-01; both included. */
export interface Days {
  readonly from: number;
  readonly to: number;
}

export interface IndexedPosition extends LogPosition {
  readonly integration: string;
}

export interface FoundPositions {
  /** Of deliveries of the subject, and rarely of others. A position may be there twice. */
  readonly positions: readonly IndexedPosition[];
  /** Of the index that were read, keys included. */
  readonly bytes: number;
}

export interface DeliveryIndex {
  /** Adds deliveries of one shard. Deliveries that are added again change nothing. */
  add(shard: string, deliveries: readonly StreamedDelivery[]): Promise<void>;
  /** The positions of a subject's deliveries to some integrations of the account, of events that occurred on some days. */
  positionsOf(
    key: SubjectKey,
    integrations: readonly string[],
    days: Days,
  ): Promise<FoundPositions>;
}
