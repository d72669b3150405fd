import type { NewestKeyPair } from '../crypto/key-pair-sealer.ts';
import type { KeyPair } from '../crypto/key-pairs.ts';
import { DynamoDbKeyPairs, keyOf, PURPOSE, pairIn } from './dynamodb-key-pairs.ts';

/** The newest pair of table KeyPairs, which seals secrets. */
export class DynamoDbNewestKeyPair extends DynamoDbKeyPairs implements NewestKeyPair {
  async newest(): Promise<KeyPair | undefined> {
    const { Items = [] } = await this.query({
      KeyConditionExpression: 'purpose = :purpose',
      ExpressionAttributeValues: { ':purpose': PURPOSE },
      ScanIndexForward: false,
      Limit: 1,
    });
    return Items[0] && pairIn(Items[0]);
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
