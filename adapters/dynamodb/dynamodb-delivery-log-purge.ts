import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { DeliveryLogPurge } from '../../core/delivery/attempt.ts';
import { batchWrite } from './batch-write.ts';

const PAGE = 100;

/** Table DeliveryLog, all entries of an integration, of whatever kind. */
export class DynamoDbDeliveryLogPurge implements DeliveryLogPurge {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async purgePage(integration: string): Promise<boolean> {
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'integration = :integration',
        ExpressionAttributeValues: { ':integration': integration },
        ProjectionExpression: 'integration, entry',
        ConsistentRead: true,
        Limit: PAGE,
      }),
    );
    await batchWrite(
      this.#client,
      this.#table,
      Items.map((key) => ({ remove: key })),
    );
    return LastEvaluatedKey === undefined;
  }
}
