import { DeleteCommand, type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { AttemptHistory } from '../../core/delivery/attempt.ts';

const PAGE = 100;

/** Table Attempts: key `integration`, `attempt`. `DynamoDbAttemptLog` writes it. */
export class DynamoDbAttemptHistory implements AttemptHistory {
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
        ProjectionExpression: 'integration, attempt',
        ConsistentRead: true,
        Limit: PAGE,
      }),
    );
    await Promise.all(
      Items.map((Key) => this.#client.send(new DeleteCommand({ TableName: this.#table, Key }))),
    );
    return LastEvaluatedKey === undefined;
  }
}
