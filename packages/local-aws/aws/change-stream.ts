/** A change of an item; items are JSON, with attributes in DynamoDB's JSON. */
export interface ItemChange {
  before: string | undefined;
  after: string | undefined;
}

export interface StreamedChange extends ItemChange {
  sequenceNumber: string;
  /** Milliseconds since 1970. */
  at: number;
}

interface NextOptions {
  maximum: number;
  /** How long a batch waits for more changes, from its first change on. */
  windowMs: number;
  signal: AbortSignal;
}

/** A sequence number of DynamoDB has 21 digits at least. */
const FIRST_SEQUENCE_NUMBER = 100_000_000_000_000_000_000n;

/** The stream of a table: one shard with one reader. Keeps nothing before there is a reader. */
export class ChangeStream {
  readonly keyNames: readonly string[];
  #changes: StreamedChange[] = [];
  #sequenceNumber = FIRST_SEQUENCE_NUMBER;
  #isRead = false;
  #awaited: { readonly holds: () => boolean; readonly wake: () => void } | undefined;

  constructor(keyNames: readonly string[]) {
    this.keyNames = keyNames;
  }

  open(): void {
    this.#isRead = true;
  }

  add(change: ItemChange): void {
    if (!this.#isRead || change.before === change.after) return;
    this.#sequenceNumber += 1n;
    this.#changes.push({ ...change, sequenceNumber: `${this.#sequenceNumber}`, at: Date.now() });
    if (this.#awaited?.holds()) this.#awaited.wake();
  }

  /** Takes a batch: when it is full or its window is over. Empty when the signal aborts. */
  async next({ maximum, windowMs, signal }: NextOptions): Promise<StreamedChange[]> {
    await this.#until(() => this.#changes.length > 0, signal);
    const isFull = () => this.#changes.length >= maximum;
    await this.#until(isFull, AbortSignal.any([signal, AbortSignal.timeout(windowMs)]));
    return signal.aborted ? [] : this.#changes.splice(0, maximum);
  }

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
