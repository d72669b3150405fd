export interface Timer {
  readonly atMs: number;
  readonly order: number;
  /** Undefined once the timer is cancelled. */
  fire: (() => void) | undefined;
}

/** Resolves when all promises have gone on as far as they can without another timer. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const isBefore = (one: Timer, other: Timer): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);

/**
 * Virtual time in whole milliseconds. All timers of an instant fire together, and then promises go
 * on until they wait for another timer: the fewer instants have timers, the faster a run.
 */
export class VirtualClock {
  nowMs: number;
  /** A binary heap; the next timer is the first. */
  readonly #heap: Timer[] = [];
  #timers = 0;

  constructor(startsAt: Date) {
    this.nowMs = startsAt.getTime();
  }

  readonly now = (): Date => new Date(this.nowMs);

  readonly after = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      this.schedule(delayMs, resolve);
    });

  schedule(delayMs: number, fire: () => void): Timer {
    this.#timers += 1;
    const atMs = this.nowMs + Math.max(0, Math.ceil(delayMs));
    const timer = { atMs, order: this.#timers, fire };
    this.#push(timer);
    return timer;
  }

  async runUntil(untilMs: number): Promise<void> {
    for (let next = this.#next(); next && next.atMs <= untilMs; next = this.#next()) {
      this.nowMs = next.atMs;
      for (let due = this.#next(); due?.atMs === this.nowMs; due = this.#next()) {
        this.#pop();
        due.fire?.();
      }
      await settled();
    }
    this.nowMs = untilMs;
  }

  /** The next timer that is not cancelled. */
  #next(): Timer | undefined {
    while (this.#heap[0] && this.#heap[0].fire === undefined) this.#pop();
    return this.#heap[0];
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = heap[parentAt];
      if (parent === undefined || isBefore(parent, timer)) break;
      heap[at] = parent;
      at = parentAt;
    }
    heap[at] = timer;
  }

  /** Removes the first timer. */
  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = heap[childAt];
      const other = heap[childAt + 1];
      if (child && other && isBefore(other, child)) {
        childAt += 1;
        child = other;
      }
      if (child === undefined || isBefore(last, child)) break;
      heap[at] = child;
      at = childAt;
    }
    heap[at] = last;
  }
}
