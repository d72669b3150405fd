import type {
  IdempotencyRecord,
  IdempotencyRecords,
} from '../../../core/integration/idempotency.ts';

export class InMemoryIdempotencyRecords implements IdempotencyRecords {
  readonly #records = new Map<string, IdempotencyRecord>();

  get all(): readonly IdempotencyRecord[] {
    return [...this.#records.values()];
  }

  async find(account: string, key: string): Promise<IdempotencyRecord | undefined> {
    return this.#records.get(nameOf({ account, key }));
  }

  /** Resolves to false if the key has another record than `replaced`. */
  put(record: IdempotencyRecord, replaced?: IdempotencyRecord): boolean {
    const stored = this.#records.get(nameOf(record));
    if (stored !== undefined && stored.integration !== replaced?.integration) return false;
    this.#records.set(nameOf(record), record);
    return true;
  }

  async removeAllOf(account: string): Promise<void> {
    for (const record of this.all.filter((stored) => stored.account === account)) {
      this.#records.delete(nameOf(record));
    }
  }
}

const nameOf = ({ account, key }: Pick<IdempotencyRecord, 'account' | 'key'>): string =>
  JSON.stringify([account, key]);
