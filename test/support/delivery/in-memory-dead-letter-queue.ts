import type { DeadLetterQueue, StoredLetter } from '../../../core/delivery/dead-letters.ts';
import type { DeadLetter } from '../../../core/delivery/delivery-queue.ts';

/** Hides received letters until they are released. */
export class InMemoryDeadLetterQueue implements DeadLetterQueue {
  readonly #letters: StoredLetter[] = [];
  readonly #hidden = new Set<string>();
  #sent = 0;

  /** Puts a letter in, sent a second after the letter before. */
  put({ text, attributes }: DeadLetter, { isMovedBySqs = false } = {}): string {
    this.#sent += 1;
    const id = `letter-${this.#sent}`;
    const sentAt = new Date(Date.UTC(2026, 10, 20, 12, 0, this.#sent));
    this.#letters.push({ id, text, attributes, sentAt, isMovedBySqs, receipt: id });
    return id;
  }

  get ids(): readonly string[] {
    return this.#letters.map(({ id }) => id);
  }

  /** Letters that cannot be received now. */
  get hidden(): readonly string[] {
    return [...this.#hidden];
  }

  async count(): Promise<number> {
    return this.#letters.length;
  }

  async receive(): Promise<readonly StoredLetter[]> {
    const received = this.#letters.filter(({ id }) => !this.#hidden.has(id)).slice(0, 10);
    for (const { id } of received) this.#hidden.add(id);
    return received;
  }

  async release(receipts: readonly string[]): Promise<void> {
    for (const receipt of receipts) this.#hidden.delete(receipt);
  }

  async remove(receipts: readonly string[]): Promise<void> {
    for (const receipt of receipts) {
      this.#hidden.delete(receipt);
      const at = this.#letters.findIndex(({ id }) => id === receipt);
      if (at >= 0) this.#letters.splice(at, 1);
    }
  }
}
