import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import type { KeyPair, KeyPairsById, NewestKeyPair } from '../crypto/key-pairs.ts';
import { ifConditionHolds } from './writes.ts';

const PURPOSE = 'secrets';

/**
 * Table KeyPairs: key `purpose`, `id`. Nothing is changed or removed here, and the table is one of its
 * own: whoever restores another table to an earlier second loses no pair that has sealed secrets.
 */
export class DynamoDbKeyPairs implements NewestKeyPair, KeyPairsById {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  async newest(): Promise<KeyPair | undefined> {
    const { Items = [] } = await this.#client.send(
      new QueryCommand({
        TableName: this.#table,
        KeyConditionExpression: 'purpose = :purpose',
        ExpressionAttributeValues: { ':purpose': PURPOSE },
        ScanIndexForward: false,
        Limit: 1,
        ConsistentRead: true,
      }),
    );
    return Items[0] && pairIn(Items[0]);
  }

  async find(id: string): Promise<KeyPair | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: keyOf(id), ConsistentRead: true }),
    );
    return Item && pairIn(Item);
  }

  /** When the answer was lost and the SDK puts again, the pair is told as one that exists: it is the newest. */
  async add(pair: KeyPair): Promise<'added' | 'exists'> {
    const put = new PutCommand({
      TableName: this.#table,
      Item: { ...keyOf(pair.id), ...pair },
      ConditionExpression: 'attribute_not_exists(id)',
    });
    return (await ifConditionHolds(this.#client.send(put))) ? 'added' : 'exists';
  }
}

const keyOf = (id: string) => ({ purpose: PURPOSE, id });

const pairIn = ({ purpose: _, ...pair }: Record<string, unknown>): KeyPair =>
  pair as unknown as KeyPair;
