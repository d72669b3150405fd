import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type {
  IdempotencyRecord,
  IdempotencyRecords,
  KeyOfIntegration,
} from '../../../core/integration/idempotency.ts';
import { DynamoDbTable } from '../table/table.ts';
import { batchWrite } from '../table/writes.ts';
import { accountKey, IDEMPOTENCY_PREFIX, idempotencyKey, itemsOf } from './directory-items.ts';

/** Ten batches at once. */
const REMOVED_PAGE = 250;

const epochSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1_000);

interface StoredRecord {
  readonly bodyHash: string;
  readonly madeSecret?: string;
  readonly integration: string;
  readonly expiresAt: number;
  readonly released?: boolean;
}

/** DynamoDB deletes expired items within days, so a claim compares `expiresAt`, too. */
export class DynamoDbIdempotencyRecords extends DynamoDbTable implements IdempotencyRecords {
  readonly #now: () => Date;

  constructor(client: DynamoDBDocumentClient, table: string, options: { now: () => Date }) {
    super(client, table);
    this.#now = options.now;
  }

  async claim(record: IdempotencyRecord): Promise<IdempotencyRecord> {
    const claimed = await this.putItem({
      Item: {
        ...idempotencyKey(record.account, record.key),
        bodyHash: record.bodyHash,
        madeSecret: record.madeSecret,
        integration: record.integration,
        expiresAt: epochSeconds(record.expiresAt),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
      ExpressionAttributeValues: { ':now': epochSeconds(this.#now()) },
    });
    // Undefined: it was forgotten between the write and the read.
    return claimed ? record : ((await this.#inForce(record)) ?? this.claim(record));
  }

  async release({ account, key, integration }: KeyOfIntegration): Promise<void> {
    await this.updateItem({
      Key: idempotencyKey(account, key),
      UpdateExpression: 'SET released = :true',
      ConditionExpression: 'integration = :integration',
      ExpressionAttributeValues: { ':integration': integration, ':true': true },
    });
  }

  async forget({ account, key, integration }: KeyOfIntegration): Promise<void> {
    await this.deleteItem({
      Key: idempotencyKey(account, key),
      ConditionExpression: 'integration = :integration',
      ExpressionAttributeValues: { ':integration': integration },
    });
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

  async #inForce({ account, key }: IdempotencyRecord): Promise<IdempotencyRecord | undefined> {
    const item = await this.getItem<StoredRecord>(idempotencyKey(account, key));
    if (item === undefined) return undefined;
    const { bodyHash, madeSecret, integration, expiresAt, released } = item;
    return {
      account,
      key,
      bodyHash,
      ...(madeSecret && { madeSecret }),
      integration,
      expiresAt: new Date(expiresAt * 1_000),
      ...(released && { isReleased: true }),
    };
  }
}
