import type {
  IdempotencyRecord,
  IdempotencyRecords,
} from '../../../core/integration/create-integration.ts';

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
    const name = JSON.stringify([record.account, record.key]);
    const stored = this.#records.get(name);
    if (stored !== undefined && stored.expiresAt > this.#now()) return stored;
    this.#records.set(name, record);
    return record;
  }
}
