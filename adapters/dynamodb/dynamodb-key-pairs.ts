import type { KeyPair, KeyPairsById } from '../crypto/key-pairs.ts';
import { DynamoDbTable } from './dynamodb-table.ts';

export const PURPOSE = 'secrets';

/**
 * Table KeyPairs: key `purpose`, `id`. Pairs have a table of their own and are never removed:
 * restoring another table to an earlier time loses no pair that has sealed secrets.
 */
export class DynamoDbKeyPairs extends DynamoDbTable implements KeyPairsById {
  async find(id: string): Promise<KeyPair | undefined> {
    const item = await this.getItem(keyOf(id));
    return item && pairIn(item);
  }
}

export const keyOf = (id: string) => ({ purpose: PURPOSE, id });

export const pairIn = ({ purpose: _, ...pair }: { purpose?: string }): KeyPair => pair as KeyPair;
