import { EventEmitter, once } from 'node:events';

/** Keeps the latest items that arrived, and wakes those who wait for more. */
export class Arrivals<Item> {
  readonly #items: Item[] = [];
  readonly #kept: number;
  readonly #events = new EventEmitter().setMaxListeners(0);

  constructor({ kept = Number.POSITIVE_INFINITY } = {}) {
    this.#kept = kept;
  }

  /** In the order of their arrival. */
  get all(): readonly Item[] {
    return this.#items;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (this.#items.length > this.#kept) this.#items.shift();
    this.#events.emit('arrival', item);
  }

  /** Calls `watch` with each item from now on. */
  onArrival(watch: (item: Item) => void): void {
    this.#events.on('arrival', watch);
  }

  /** Resolves to whether the condition holds before the signal aborts. */
  async until(isMet: () => boolean, signal: AbortSignal): Promise<boolean> {
    while (!isMet()) {
      if (signal.aborted) return false;
      await once(this.#events, 'arrival', { signal }).catch(() => {});
    }
    return true;
  }
}
