export interface Range {
  gt?: string;
  gte?: string;
  lt?: string;
  lte?: string;
  /** From the last key to the first. */
  reverse?: boolean;
}

/** Small enough for a cheap insertion, and large enough that there are few chunks. */
const CHUNK_KEYS = 512;

/** A map in the order of its keys, by code units. */
export class SortedMap<Value> {
  readonly #values = new Map<string, Value>();
  /** The keys in order, in chunks. Only the first chunk may be empty. */
  readonly #chunks: string[][] = [[]];

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    if (!this.#values.has(key)) this.#insert(key);
    this.#values.set(key, value);
  }

  delete(key: string): void {
    if (!this.#values.delete(key)) return;
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at] ?? [];
    chunk.splice(firstNotBelow(chunk, key), 1);
    if (chunk.length === 0 && at > 0) this.#chunks.splice(at, 1);
  }

  /** The values in a range, in order. The map must not change before the last one. */
  *between(range: Range): Generator<Value> {
    for (const key of range.reverse ? this.#keysDown(range) : this.#keysUp(range)) {
      yield this.#values.get(key) as Value;
    }
  }

  *#keysUp({ gt, gte, lt, lte }: Range): Generator<string> {
    const low = gt ?? gte ?? '';
    for (let at = this.#chunkOf(low); at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at] ?? [];
      for (let index = firstNotBelow(chunk, low); index < chunk.length; index += 1) {
        const key = chunk[index] as string;
        if ((lt !== undefined && key >= lt) || (lte !== undefined && key > lte)) return;
        if (key !== gt) yield key;
      }
    }
  }

  *#keysDown({ gt, gte, lt, lte }: Range): Generator<string> {
    const high = lt ?? lte;
    for (
      let at = high === undefined ? this.#chunks.length - 1 : this.#chunkOf(high);
      at >= 0;
      at -= 1
    ) {
      const chunk = this.#chunks[at] ?? [];
      const end = high === undefined ? chunk.length : firstNotBelow(chunk, high) + 1;
      for (let index = Math.min(end, chunk.length) - 1; index >= 0; index -= 1) {
        const key = chunk[index] as string;
        if ((gt !== undefined && key <= gt) || (gte !== undefined && key < gte)) return;
        if (high === undefined || key < high || key === lte) yield key;
      }
    }
  }

  #insert(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at] ?? [];
    chunk.splice(firstNotBelow(chunk, key), 0, key);
    if (chunk.length > CHUNK_KEYS) {
      this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK_KEYS / 2));
    }
  }

  /** The last chunk that begins at the key or below, or else the first. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#chunks[middle]?.[0] ?? '') <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const firstNotBelow = (keys: readonly string[], key: string): number => {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
};
