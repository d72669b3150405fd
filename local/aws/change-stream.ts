/** A change of an item; items are JSON, with attributes in DynamoDB's JSON. */
export interface ItemChange {
  /** Absent for a new item. */
  before: string | undefined;
  /** Absent for a deleted item. */
  after: string | undefined;
}

export interface StreamedChange extends ItemChange {
  sequenceNumber: string;
  /** Milliseconds since 1970. */
  at: number;
}

interface NextOptions {
  /** Changes of a batch. */
  maximum: number;
  /** How long a batch waits for more changes, from its first change on. */
  windowMs: number;
  signal: AbortSignal;
}

/** As much as Lambda hands to a function at once; JSON makes it a little more. */
const MAXIMUM_BYTES = 5_000_000;

/** A sequence number of DynamoDB has 21 digits at least. */
const FIRST_SEQUENCE_NUMBER = 100_000_000_000_000_000_000n;

/** The stream of a table: one shard with one reader. Keeps nothing before there is a reader. */
export class ChangeStream {
  readonly keyNames: readonly string[];
  #changes: StreamedChange[] = [];
  #bytes = 0;
  #sequenceNumber = FIRST_SEQUENCE_NUMBER;
  #isRead = false;
  /** The condition that the reader waits for. */
  #awaited: { readonly holds: () => boolean; readonly wake: () => void } | undefined;

  constructor(keyNames: readonly string[]) {
    this.keyNames = keyNames;
  }

  /** From now on, changes are kept for the reader. */
  open(): void {
    this.#isRead = true;
  }

  add(change: ItemChange): void {
    if (!this.#isRead || change.before === change.after) return;
    this.#sequenceNumber += 1n;
    this.#changes.push({ ...change, sequenceNumber: `${this.#sequenceNumber}`, at: Date.now() });
    this.#bytes += bytesOf(change);
    if (this.#awaited?.holds()) this.#awaited.wake();
  }

  /** Takes a batch: when it is full or its window is over. Empty when the signal aborts. */
  async next({ maximum, windowMs, signal }: NextOptions): Promise<StreamedChange[]> {
    await this.#until(() => this.#changes.length > 0, signal);
    const isFull = () => this.#changes.length >= maximum || this.#bytes >= MAXIMUM_BYTES;
    await this.#until(isFull, AbortSignal.any([signal, AbortSignal.timeout(windowMs)]));
    return signal.aborted ? [] : this.#take(maximum);
  }

  #take(maximum: number): StreamedChange[] {
    let count = 0;
    let bytes = 0;
    for (const change of this.#changes.slice(0, maximum)) {
      const size = bytesOf(change);
      if (count > 0 && bytes + size > MAXIMUM_BYTES) break;
      bytes += size;
      count += 1;
    }
    this.#bytes -= bytes;
    return this.#changes.splice(0, count);
  }

  /** Resolves when the condition holds or the signal aborts. */
  async #until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    if (holds() || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    this.#awaited = { holds, wake };
    signal.addEventListener('abort', wake);
    await promise;
    this.#awaited = undefined;
    signal.removeEventListener('abort', wake);
  }
}

const bytesOf = ({ before = '', after = '' }: ItemChange): number => before.length + after.length;
