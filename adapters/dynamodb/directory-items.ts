import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';

export type DirectoryKey = Readonly<Record<'pk' | 'sk', string>>;

/** Reads and writes of single items of table Directory, strongly consistent. */
export class DirectoryItems {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /** The attributes without the key, as `put` or `add` stored them. They are not checked. */
  async get<Attributes extends object>(key: DirectoryKey): Promise<Attributes | undefined> {
    const { Item } = await this.client.send(
      new GetCommand({ TableName: this.table, Key: key, ConsistentRead: true }),
    );
    if (Item === undefined) return undefined;
    const { pk: _pk, sk: _sk, ...attributes } = Item;
    return attributes as Attributes;
  }

  async put(key: DirectoryKey, attributes: object): Promise<void> {
    await this.client.send(
      new PutCommand({ TableName: this.table, Item: { ...attributes, ...key } }),
    );
  }

  async add(key: DirectoryKey, attributes: object): Promise<'added' | 'exists'> {
    try {
      await this.client.send(
        new PutCommand({
          TableName: this.table,
          Item: { ...attributes, ...key },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
      return 'added';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'exists';
      throw error;
    }
  }
}
