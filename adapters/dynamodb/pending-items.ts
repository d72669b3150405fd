import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Delivery, EventReference } from '../../core/delivery/delivery.ts';
import { type BodyOwner, PIECE_PREFIX, type Pieces } from './dynamodb-body-pieces.ts';

/**
 * The partitions of an integration. A partition takes 1,000 write units a second, and an event of
 * 2 KB takes two: eight partitions take 4,000 such events a second.
 */
const PARTITIONS = 8;

/** Key of table PendingEvents. */
export interface PendingKey {
  /** The integration's id, and the number of the partition. */
  readonly partition: string;
  readonly entry: string;
}

/** A delivery as an item. A large body is stored as `pieces` beside the item. */
export interface PendingItem extends Omit<Delivery, 'body' | 'event'>, PendingKey {
  readonly reference: EventReference;
  readonly version: string;
  /** The body, deflated. */
  readonly deflated?: Uint8Array;
  readonly pieces?: Pieces;
}

export const partitionsOf = (integration: string): readonly string[] =>
  Array.from({ length: PARTITIONS }, (_, number) => `${integration}#${number}`);

/** The event's id alone decides the partition, so that every writer of a delivery finds it. */
export const pendingKey = ({
  integration,
  event: { id, occurredAt },
}: Pick<Delivery, 'integration' | 'event'>): PendingKey => ({
  partition: `${integration}#${partitionNumber(id)}`,
  entry: `${new Date(occurredAt).toISOString()}#${id}`,
});

/** What is set aside sorts after the pending events and the pieces of large bodies. */
const SET_ASIDE_PREFIX = 'set-aside#';

export const setAsideKey = (delivery: Pick<Delivery, 'integration' | 'event'>): PendingKey => {
  const { partition, entry } = pendingKey(delivery);
  return { partition, entry: `${SET_ASIDE_PREFIX}${entry}` };
};

const partitionNumber = (eventId: string): number =>
  createHash('sha256').update(eventId).digest().readUInt8() % PARTITIONS;

export const bodyOwnerOf = ({ partition, entry }: PendingKey): BodyOwner => ({
  partition,
  sortKey: entry,
});

/** The condition of a query for deliveries: the pieces of large bodies sort after them. */
export const deliveriesIn = (partition: string) => ({
  KeyConditionExpression: '#partition = :partition AND entry < :pieces',
  ExpressionAttributeNames: { '#partition': 'partition' },
  ExpressionAttributeValues: { ':partition': partition, ':pieces': PIECE_PREFIX },
});

export const deflated = (body: string): Uint8Array => deflateRawSync(body);
export const inflated = (bytes: Uint8Array): string => inflateRawSync(bytes).toString();
