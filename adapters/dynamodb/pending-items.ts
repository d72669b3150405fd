import type { Delivery, EventReference } from '../../core/delivery/delivery.ts';
import { type KeptState, placeOf } from '../../core/delivery/pending/pending-events.ts';
import { partitionOf } from './integration-partitions.ts';

/** Key of table PendingEvents. */
export interface PendingKey {
  /** The integration's id, and the number of the partition. */
  readonly partition: string;
  readonly entry: string;
}

/** A delivery as an item. */
export interface PendingItem extends Omit<Delivery, 'body' | 'event'>, PendingKey {
  readonly reference: EventReference;
  readonly version: string;
  readonly dueAt?: string;
  /** The body, deflated. */
  readonly deflated: Uint8Array;
}

type Identified = Pick<Delivery, 'integration' | 'event'>;

/** What is set aside sorts after the pending events, whose entries begin with a year. */
export const KEPT_PREFIXES: Readonly<Record<KeptState, string>> = {
  pending: '',
  'set-aside': 'set-aside#',
};

export const keptKey = ({ integration, event }: Identified, state: KeptState): PendingKey => ({
  partition: partitionOf(integration, event.id),
  entry: `${KEPT_PREFIXES[state]}${placeOf({ event })}`,
});

export const pendingKey = (delivery: Identified): PendingKey => keptKey(delivery, 'pending');
export const setAsideKey = (delivery: Identified): PendingKey => keptKey(delivery, 'set-aside');

/** The condition on the sort keys of a state's deliveries, with its one value. */
const RANGES: Readonly<Record<KeptState, readonly [condition: string, bound: string]>> = {
  pending: ['entry < :bound', KEPT_PREFIXES['set-aside']],
  'set-aside': ['begins_with(entry, :bound)', KEPT_PREFIXES['set-aside']],
};

/** The condition of a query for the deliveries of a state. */
export const deliveriesIn = (partition: string, state: KeptState) => {
  const [condition, bound] = RANGES[state];
  return {
    KeyConditionExpression: `#partition = :partition AND ${condition}`,
    ExpressionAttributeNames: { '#partition': 'partition' },
    ExpressionAttributeValues: { ':partition': partition, ':bound': bound },
  };
};
