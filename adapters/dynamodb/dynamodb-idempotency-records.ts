import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type {
  IdempotencyRecord,
  IdempotencyRecords,
  KeyOfIntegration,
} from '../../core/integration/idempotency-records.ts';
import { idempotencyKey } from './directory-items.ts';
import { ifConditionHolds } from './writes.ts';

const epochSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1_000);

/**
 * Idempotency records in table Directory. DynamoDB deletes expired items within days, so the
 * condition of a claim compares `expiresAt`, too.
 */
export class DynamoDbIdempotencyRecords implements IdempotencyRecords {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;

  constructor(client: DynamoDBDocumentClient, table: string, options: { now: () => Date }) {
    this.#client = client;
    this.#table = table;
    this.#now = options.now;
  }

  async claim(record: IdempotencyRecord): Promise<IdempotencyRecord> {
    try {
      await this.#client.send(
        new PutCommand({
          TableName: this.#table,
          Item: {
            ...idempotencyKey(record.account, record.key),
            bodyHash: record.bodyHash,
            madeSecret: record.madeSecret,
            integration: record.integration,
            expiresAt: epochSeconds(record.expiresAt),
          },
          ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          ExpressionAttributeValues: { ':now': epochSeconds(this.#now()) },
        }),
      );
      return record;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return this.#inForce(record);
      throw error;
    }
  }

  async release(key: KeyOfIntegration): Promise<void> {
    const { ExpressionAttributeValues, ...ofIntegration } = this.#recordOf(key);
    const update = new UpdateCommand({
      ...ofIntegration,
      UpdateExpression: 'SET released = :true',
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':true': true },
    });
    await ifConditionHolds(this.#client.send(update));
  }

  async forget(key: KeyOfIntegration): Promise<void> {
    await ifConditionHolds(this.#client.send(new DeleteCommand(this.#recordOf(key))));
  }

  /** A write of the record, if the key stands for the integration. */
  #recordOf({ account, key, integration }: KeyOfIntegration) {
    return {
      TableName: this.#table,
      Key: idempotencyKey(account, key),
      ConditionExpression: 'integration = :integration',
      ExpressionAttributeValues: { ':integration': integration },
    };
  }

  async #inForce(record: IdempotencyRecord): Promise<IdempotencyRecord> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key: idempotencyKey(record.account, record.key),
        ConsistentRead: true,
      }),
    );
    if (Item === undefined) throw new Error('An idempotency record expired while it was read.');
    const { bodyHash, madeSecret, integration, expiresAt, released } = Item;
    return {
      account: record.account,
      key: record.key,
      bodyHash,
      ...(madeSecret && { madeSecret }),
      integration,
      expiresAt: new Date(expiresAt * 1_000),
      ...(released && { isReleased: true }),
    };
  }
}
