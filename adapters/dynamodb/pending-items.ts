import type { Delivery, EventReference } from '../../core/delivery/delivery.ts';
import type { KeptState } from '../../core/delivery/shown/list-pending-events.ts';
import { type BodyOwner, PIECE_PREFIX, type Pieces } from './dynamodb-body-pieces.ts';
import { partitionOf } from './integration-partitions.ts';

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

type Identified = Pick<Delivery, 'integration' | 'event'>;

/** What is set aside sorts after the pending events and the pieces of large bodies of both. */
export const KEPT_PREFIXES: Readonly<Record<KeptState, string>> = {
  pending: '',
  'set-aside': 'set-aside#',
};

export const keptKey = (
  { integration, event: { id, occurredAt } }: Identified,
  state: KeptState,
): PendingKey => ({
  partition: partitionOf(integration, id),
  entry: `${KEPT_PREFIXES[state]}${new Date(occurredAt).toISOString()}#${id}`,
});

export const pendingKey = (delivery: Identified): PendingKey => keptKey(delivery, 'pending');
export const setAsideKey = (delivery: Identified): PendingKey => keptKey(delivery, 'set-aside');

export const bodyOwnerOf = ({ partition, entry }: PendingKey): BodyOwner => ({
  partition,
  sortKey: entry,
});

/** The condition on the sort keys of a state's deliveries, with its one value. */
const RANGES: Readonly<Record<KeptState, readonly [condition: string, bound: string]>> = {
  pending: ['entry < :bound', PIECE_PREFIX],
  'set-aside': ['begins_with(entry, :bound)', KEPT_PREFIXES['set-aside']],
};

/** The condition of a query for the deliveries of a state, without pieces of large bodies. */
export const deliveriesIn = (partition: string, state: KeptState) => {
  const [condition, bound] = RANGES[state];
  return {
    KeyConditionExpression: `#partition = :partition AND ${condition}`,
    ExpressionAttributeNames: { '#partition': 'partition' },
    ExpressionAttributeValues: { ':partition': partition, ':bound': bound },
  };
};
