import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DeleteCommandInput,
  type DeleteCommandOutput,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  type PutCommandOutput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  UpdateCommand,
  type UpdateCommandInput,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';

export type Key = Readonly<Record<string, string>>;

export interface Projection {
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
}

export interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

type InTable<Input> = Omit<Input, 'TableName'>;

/** Reads and writes one table. A write resolves to undefined when its condition is not met. */
export class DynamoDbTable {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /** Strongly consistent. The attributes are not checked. */
  async getItem<Item extends object>(key: Key, projection?: Projection): Promise<Item | undefined> {
    const { Item } = await this.client.send(
      new GetCommand({
        TableName: this.table,
        Key: key,
        ConsistentRead: true,
        ...projection,
      }),
    );
    return Item as Item | undefined;
  }

  /** Reads a page, strongly consistent unless told otherwise. */
  query(query: InTable<QueryCommandInput>): Promise<QueryCommandOutput> {
    return this.client.send(
      new QueryCommand({ TableName: this.table, ConsistentRead: true, ...query }),
    );
  }

  putItem(
    put: InTable<PutCommandInput>,
    options?: SendOptions,
  ): Promise<PutCommandOutput | undefined> {
    const command = new PutCommand({ TableName: this.table, ...put });
    return ifConditionHolds(this.client.send(command, options));
  }

  updateItem(
    update: InTable<UpdateCommandInput>,
    options?: SendOptions,
  ): Promise<UpdateCommandOutput | undefined> {
    const command = new UpdateCommand({ TableName: this.table, ...update });
    return ifConditionHolds(this.client.send(command, options));
  }

  deleteItem(
    remove: InTable<DeleteCommandInput>,
    options?: SendOptions,
  ): Promise<DeleteCommandOutput | undefined> {
    const command = new DeleteCommand({ TableName: this.table, ...remove });
    return ifConditionHolds(this.client.send(command, options));
  }
}

const ifConditionHolds = async <Output>(write: Promise<Output>): Promise<Output | undefined> => {
  try {
    return await write;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
};
