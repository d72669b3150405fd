import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Delivery, type EventReference, positionOf } from '../../../core/delivery/delivery.ts';
import type { PendingStore, SetAsideEvents } from '../../../core/delivery/pending/store-pending.ts';
import { gatheredCalls } from '../../gathered-calls.ts';
import { deflated, type PartitionedKey, partitionOf } from '../table/stored-deliveries.ts';
import { DynamoDbTable } from '../table/table.ts';
import { insertOrPut } from '../table/writes.ts';

export interface PendingItem extends Omit<Delivery, 'body' | 'event'>, PartitionedKey {
  readonly reference: EventReference;
  readonly version: string;
  readonly dueAt?: string;
  readonly deflated: Uint8Array;
}

/** Set-aside deliveries sort after the pending events, whose entries begin with a year. */
export const SET_ASIDE_PREFIX = 'set-aside#';

type Identified = Pick<Delivery, 'integration' | 'event'>;

export const pendingKey = ({ integration, event }: Identified): PartitionedKey => ({
  partition: partitionOf(integration, event.id),
  entry: positionOf({ event }),
});

export const setAsideKey = (delivery: Identified): PartitionedKey => {
  const { partition, entry } = pendingKey(delivery);
  return { partition, entry: `${SET_ASIDE_PREFIX}${entry}` };
};

const attributesOf = ({ body, event, ...delivery }: Delivery) => ({
  ...delivery,
  reference: event,
  deflated: deflated(body),
});

/** Follows the message's id, so that few random bytes make a unique version. */
const randomVersion = (): string => randomBytes(9).toString('base64url');

/** Stores deliveries in table PendingEvents: key `partition`, `entry`, by when events occurred. */
export class DynamoDbPendingStore extends DynamoDbTable implements PendingStore {
  readonly #newVersion: () => string;
  /** Items that are put at the same time go into one call: nearly all of them are new. */
  readonly #put = gatheredCalls<PendingItem, undefined>(
    (items) => insertOrPut(this, items, (item) => this.#replace(item)),
    () => '',
  );

  constructor(
    client: DynamoDBDocumentClient,
    table: string,
    { newVersion = randomVersion }: { newVersion?: () => string } = {},
  ) {
    super(client, table);
    this.#newVersion = newVersion;
  }

  async put(
    delivery: Delivery,
    { messageId, dueAt }: { messageId: string; dueAt?: Date | undefined },
  ): Promise<void> {
    await this.#put({
      ...attributesOf(delivery),
      ...pendingKey(delivery),
      version: `${messageId}${this.#newVersion()}`,
      ...(dueAt && { dueAt: dueAt.toISOString() }),
    });
  }

  /** Only the item of a resend replaces the item of a resend. */
  async #replace(item: PendingItem): Promise<void> {
    await this.putItem({
      Item: item,
      ...(item.trigger !== 'manual' && {
        ConditionExpression: 'attribute_not_exists(#trigger) OR #trigger <> :manual',
        ExpressionAttributeNames: { '#trigger': 'trigger' },
        ExpressionAttributeValues: { ':manual': 'manual' },
      }),
    });
  }

  async removeOf(delivery: Delivery, { messageId }: { messageId: string }): Promise<void> {
    await this.deleteItem({
      Key: pendingKey(delivery),
      // Each version that the message stored begins with the message's id.
      ConditionExpression: 'begins_with(version, :messageId)',
      ExpressionAttributeValues: { ':messageId': messageId },
    });
  }
}

export class DynamoDbSetAsideEvents extends DynamoDbTable implements SetAsideEvents {
  async add(delivery: Delivery): Promise<boolean> {
    return (
      (await this.putItem({
        Item: { ...attributesOf(delivery), ...setAsideKey(delivery) },
        ConditionExpression: 'attribute_not_exists(entry)',
      })) !== undefined
    );
  }

  async has(delivery: Delivery): Promise<boolean> {
    const key = setAsideKey(delivery);
    return (await this.getItem(key, { ProjectionExpression: 'entry' })) !== undefined;
  }

  async remove(delivery: Delivery): Promise<boolean> {
    const Key = setAsideKey(delivery);
    const deleted = await this.deleteItem({ Key, ReturnValues: 'ALL_OLD' });
    return deleted?.Attributes !== undefined;
  }
}
