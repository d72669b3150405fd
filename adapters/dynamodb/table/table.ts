import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DeleteCommandInput,
  type DeleteCommandOutput,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  type PutCommandOutput,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  UpdateCommand,
  type UpdateCommandInput,
  type UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { inChunks } from '../../../core/in-chunks.ts';
import { asError } from '../../gathered-calls.ts';

type Key = Readonly<Record<string, string>>;

interface Projection {
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
      new GetCommand({ TableName: this.table, Key: key, ConsistentRead: true, ...projection }),
    );
    return Item as Item | undefined;
  }

  /**
   * Items, strongly consistent, in the order of their keys: an item, undefined, or the error of a
   * single read. Reads that DynamoDB leaves undone, as of a throttled partition, are made one by one,
   * because the client repeats only single requests. Throws when a whole batch fails.
   */
  async getItems<Item extends object>(
    keys: readonly Key[],
    projection?: Projection,
  ): Promise<readonly (Item | undefined | Error)[]> {
    const distinct = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
    const found = new Map<string, Item | Error>();
    const getOne = async (key: Key): Promise<void> => {
      const item = await this.getItem<Item>(key, projection).catch(asError);
      if (item) found.set(nameOf(key), item);
    };
    let single: readonly Key[] = distinct;
    if (distinct.length > 1) {
      const reads = await Promise.all(
        inChunks(distinct, MAX_READ).map((some) => this.#getAtOnce(some, projection)),
      );
      for (const item of reads.flatMap(({ items }) => items)) {
        found.set(nameOf(keyIn(item, distinct)), item as Item);
      }
      single = reads.flatMap(({ undone }) => undone);
    }
    await Promise.all(single.map(getOne));
    return keys.map((key) => found.get(nameOf(key)));
  }

  async #getAtOnce(
    keys: readonly Key[],
    projection: Projection | undefined,
  ): Promise<{ items: Record<string, unknown>[]; undone: Key[] }> {
    const read = { Keys: [...keys], ConsistentRead: true, ...projection };
    const { Responses, UnprocessedKeys } = await this.client.send(
      new BatchGetCommand({ RequestItems: { [this.table]: read } }),
    );
    return {
      items: Responses?.[this.table] ?? [],
      undone: (UnprocessedKeys?.[this.table]?.Keys ?? []) as Key[],
    };
  }

  /** Reads a page, strongly consistent unless told otherwise. */
  query(query: InTable<QueryCommandInput>): Promise<QueryCommandOutput> {
    return this.client.send(
      new QueryCommand({ TableName: this.table, ConsistentRead: true, ...query }),
    );
  }

  /** As `query`, for all pages after a key. */
  queryPages(query: InTable<QueryCommandInput>, after?: Key): AsyncIterable<QueryCommandOutput> {
    return paginateQuery(
      { client: this.client, startingToken: after },
      { TableName: this.table, ConsistentRead: true, ...query },
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

/** DynamoDB's limit for one call. */
const MAX_READ = 100;

const nameOf = (key: Key): string => JSON.stringify(key);

/** The key of an item: the attributes that all keys have. */
const keyIn = (item: Record<string, unknown>, [like = {}]: readonly Key[]): Key =>
  Object.fromEntries(Object.keys(like).map((name) => [name, String(item[name])]));
