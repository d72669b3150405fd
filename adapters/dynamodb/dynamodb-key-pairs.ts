import type { KeyPair, KeyPairsById, NewestKeyPair } from '../crypto/key-pairs.ts';
import { DynamoDbTable } from './dynamodb-table.ts';

const PURPOSE = 'secrets';

/**
 * Table KeyPairs: key `purpose`, `id`. Key pairs are never changed or removed, and have a table of
 * their own: restoring another table to an earlier time loses no pair that has sealed secrets.
 */
export class DynamoDbKeyPairs extends DynamoDbTable implements NewestKeyPair, KeyPairsById {
  async newest(): Promise<KeyPair | undefined> {
    const { Items = [] } = await this.query({
      KeyConditionExpression: 'purpose = :purpose',
      ExpressionAttributeValues: { ':purpose': PURPOSE },
      ScanIndexForward: false,
      Limit: 1,
    });
    return Items[0] && pairIn(Items[0]);
  }

  async find(id: string): Promise<KeyPair | undefined> {
    const item = await this.getItem(keyOf(id));
    return item && pairIn(item);
  }

  /** `exists` also when the SDK repeats the put after a lost answer: the pair is the newest then. */
  async add(pair: KeyPair): Promise<'added' | 'exists'> {
    const added = await this.putItem({
      Item: { ...keyOf(pair.id), ...pair },
      ConditionExpression: 'attribute_not_exists(id)',
    });
    return added ? 'added' : 'exists';
  }
}

const keyOf = (id: string) => ({ purpose: PURPOSE, id });

const pairIn = ({ purpose: _, ...pair }: { purpose?: string }): KeyPair => pair as KeyPair;
