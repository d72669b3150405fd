import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Condition, isKept } from './delivery-log-conditions.ts';
import type { DeliveryLogKey } from './delivery-log-keys.ts';
import type { ReadPage } from './filled-page.ts';

interface Wishes {
  readonly key: Condition;
  readonly conditions: readonly Condition[];
  readonly order: 'newest first' | 'oldest first';
  /** How many are read, whatever is left out of them. */
  readonly limit: number;
  readonly after: string | undefined;
}

/** Reads of table DeliveryLog, strongly consistent: what has expired is not there, deleted or not. */
export class DeliveryLogReader {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #now: () => Date;

  constructor(client: DynamoDBDocumentClient, table: string, options: { now: () => Date }) {
    this.#client = client;
    this.#table = table;
    this.#now = options.now;
  }

  /** The item, without its body if `withoutBody`. */
  async get<Item>(Key: DeliveryLogKey, { withoutBody = false } = {}): Promise<Item | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({
        TableName: this.#table,
        Key,
        ...(withoutBody && {
          ProjectionExpression: 'integration, account, #reference, expiresAt',
          ExpressionAttributeNames: { '#reference': 'reference' },
        }),
        ConsistentRead: true,
      }),
    );
    const isThere = Item !== undefined && Item.expiresAt > this.#now().getTime() / 1_000;
    return isThere ? (Item as Item) : undefined;
  }

  /** A page of the items of one integration. */
  async page<Item>(
    integration: string,
    { key, conditions, order, limit, after }: Wishes,
  ): Promise<ReadPage<Item>> {
    const filters = [isKept(this.#now()), ...conditions];
    const all = [key, ...filters];
    const names = Object.assign({}, ...all.map((condition) => condition.names));
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: `integration = :integration AND ${key.text}`,
        FilterExpression: filters.map(({ text }) => text).join(' AND '),
        ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
        ExpressionAttributeValues: Object.assign(
          { ':integration': integration },
          ...all.map(({ values }) => values),
        ),
        ...(after !== undefined && { ExclusiveStartKey: { integration, entry: after } }),
        ScanIndexForward: order === 'oldest first',
        Limit: limit,
        ConsistentRead: true,
      }),
    );
    return { items: Items as Item[], readTo: LastEvaluatedKey?.entry };
  }
}
