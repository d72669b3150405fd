export interface Timer {
  /** Undefined once the timer is cancelled. */
  fire: (() => void) | undefined;
}

/** Resolves when all promises have gone on as far as they can without another timer. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Virtual time in whole milliseconds. All timers of an instant fire together, and then promises go
 * on until they wait for another timer: the fewer instants have timers, the faster a run.
 */
export class VirtualClock {
  nowMs: number;
  /** By the millisecond in which they fire, in the order in which they were scheduled. */
  readonly #timersAt = new Map<number, Timer[]>();

  constructor(startsAt: Date) {
    this.nowMs = startsAt.getTime();
  }

  readonly now = (): Date => new Date(this.nowMs);

  readonly after = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      this.schedule(delayMs, resolve);
    });

  schedule(delayMs: number, fire: () => void): Timer {
    const atMs = this.nowMs + Math.max(0, Math.ceil(delayMs));
    const timer: Timer = { fire };
    const others = this.#timersAt.get(atMs);
    if (others) others.push(timer);
    else this.#timersAt.set(atMs, [timer]);
    return timer;
  }

  async runUntil(untilMs: number): Promise<void> {
    for (; this.nowMs <= untilMs; this.nowMs += 1) {
      for (let due = this.#timersAt.get(this.nowMs); due; due = this.#timersAt.get(this.nowMs)) {
        // A timer may schedule another for the same instant, which is appended.
        for (const { fire } of due) fire?.();
        this.#timersAt.delete(this.nowMs);
        await settled();
      }
    }
    this.nowMs = untilMs;
  }
}
