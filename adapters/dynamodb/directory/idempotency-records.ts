import type {
  IdempotencyRecord,
  IdempotencyRecords,
} from '../../../core/integration/idempotency.ts';
import type { IdempotencyWrite } from '../../../core/integration/integration-store.ts';
import { DynamoDbTable } from '../table/table.ts';
import { batchWrite } from '../table/writes.ts';
import { accountKey, IDEMPOTENCY_PREFIX, idempotencyKey, itemsOf } from './directory-items.ts';

/** Ten batches at once. */
const REMOVED_PAGE = 250;

interface StoredRecord extends Pick<IdempotencyRecord, 'bodyHash' | 'madeSecret' | 'integration'> {
  readonly expiresAt: number;
}

/** The put of a record, which `DynamoDbIntegrationWriter` makes together with its integration. */
export const putOf = ({ record, replaced }: IdempotencyWrite) => {
  const { account, key, expiresAt, ...members } = record;
  return {
    Item: {
      ...idempotencyKey(account, key),
      ...members,
      expiresAt: Math.floor(expiresAt.getTime() / 1_000),
    },
    // DynamoDB may have deleted the one that was found, because it had expired.
    ConditionExpression: `attribute_not_exists(pk)${replaced ? ' OR integration = :replaced' : ''}`,
    ...(replaced && { ExpressionAttributeValues: { ':replaced': replaced.integration } }),
  };
};

export class DynamoDbIdempotencyRecords extends DynamoDbTable implements IdempotencyRecords {
  async find(account: string, key: string): Promise<IdempotencyRecord | undefined> {
    const item = await this.getItem<StoredRecord>(idempotencyKey(account, key));
    if (item === undefined) return undefined;
    const { bodyHash, madeSecret, integration, expiresAt } = item;
    return {
      account,
      key,
      bodyHash,
      ...(madeSecret && { madeSecret }),
      integration,
      expiresAt: new Date(expiresAt * 1_000),
    };
  }

  async removeAllOf(account: string): Promise<void> {
    const pages = this.queryPages({
      ...itemsOf({ pk: accountKey(account).pk, prefix: IDEMPOTENCY_PREFIX }),
      ProjectionExpression: 'pk, sk',
      Limit: REMOVED_PAGE,
    });
    for await (const { Items = [] } of pages) {
      await batchWrite(
        this,
        Items.map((Key) => ({ DeleteRequest: { Key } })),
      );
    }
  }
}
