import type { KeyPair, KeyPairs } from '../../crypto/key-pairs.ts';
import { DynamoDbTable } from '../table/table.ts';

export const PURPOSE = 'secrets';

export const keyOf = (id: string) => ({ purpose: PURPOSE, id });

export const pairIn = ({ purpose: _, ...pair }: { purpose?: string }): KeyPair => pair as KeyPair;

/** Key `purpose`, `id`. A table of its own: restoring another one loses no pair. */
export class DynamoDbKeyPairs extends DynamoDbTable implements KeyPairs {
  async find(id: string): Promise<KeyPair | undefined> {
    const item = await this.getItem(keyOf(id));
    return item && pairIn(item);
  }
}
