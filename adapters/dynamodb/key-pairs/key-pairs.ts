import type { KeyPair, KeyPairs, NewestKeyPair } from '../../crypto/key-pairs.ts';
import { DynamoDbTable } from '../table/table.ts';
import { executeInBatches, insertInto } from '../table/writes.ts';

const PURPOSE = 'secrets';

const keyOf = (id: string) => ({ purpose: PURPOSE, id });

const pairIn = ({ purpose: _, ...pair }: { purpose?: string }): KeyPair => pair as KeyPair;

/** Key `purpose`, `id`. A table of its own: restoring another one loses no pair. */
export class DynamoDbKeyPairs extends DynamoDbTable implements KeyPairs {
  async find(id: string): Promise<KeyPair | undefined> {
    const item = await this.getItem(keyOf(id));
    return item && pairIn(item);
  }
}

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
