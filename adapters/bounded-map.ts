/** A map that keeps so many entries: the entry that was set first goes first. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#most) return;
    const [first] = this.#entries.keys();
    if (first !== undefined) this.#entries.delete(first);
  }
}
