import type { KeyPair, NewestKeyPair } from '../../crypto/key-pairs.ts';
import { executeInBatches, insertInto } from '../table/writes.ts';
import { DynamoDbKeyPairs, keyOf, PURPOSE, pairIn } from './key-pairs.ts';

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

  /**
   * By a statement, because a role can be permitted to insert items without permission to replace
   * them. `exists` also when the SDK repeats it after a lost answer: the pair is the newest then.
   */
  async add(pair: KeyPair): Promise<'added' | 'exists'> {
    const insertion = insertInto(this)({ ...keyOf(pair.id), ...pair });
    const [code] = await executeInBatches(this, [insertion]);
    if (code === undefined) return 'added';
    if (code === 'DuplicateItem') return 'exists';
    throw new Error(`Key pair ${pair.id} was not stored: ${code}.`);
  }
}
