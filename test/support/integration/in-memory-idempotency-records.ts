import type {
  IdempotencyRecord,
  IdempotencyRecords,
  KeyOfIntegration,
} from '../../../core/integration/idempotency.ts';

export class InMemoryIdempotencyRecords implements IdempotencyRecords {
  readonly #records = new Map<string, IdempotencyRecord>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  get all(): readonly IdempotencyRecord[] {
    return [...this.#records.values()];
  }

  async claim(record: IdempotencyRecord): Promise<IdempotencyRecord> {
    const stored = this.#records.get(nameOf(record));
    if (stored !== undefined && stored.expiresAt > this.#now()) return stored;
    this.#records.set(nameOf(record), record);
    return record;
  }

  async release(key: KeyOfIntegration): Promise<void> {
    const stored = this.#of(key);
    if (stored !== undefined) this.#records.set(nameOf(key), { ...stored, isReleased: true });
  }

  async forget(key: KeyOfIntegration): Promise<void> {
    if (this.#of(key) !== undefined) this.#records.delete(nameOf(key));
  }

  /** Whether the key stands for the integration, and is not released. */
  holds(key: KeyOfIntegration): boolean {
    const stored = this.#of(key);
    return stored !== undefined && !stored.isReleased;
  }

  async removeAllOf(account: string): Promise<void> {
    for (const record of this.all.filter((stored) => stored.account === account)) {
      this.#records.delete(nameOf(record));
    }
  }

  #of(key: KeyOfIntegration): IdempotencyRecord | undefined {
    const stored = this.#records.get(nameOf(key));
    return stored?.integration === key.integration ? stored : undefined;
  }
}

const nameOf = ({ account, key }: Pick<IdempotencyRecord, 'account' | 'key'>): string =>
  JSON.stringify([account, key]);
