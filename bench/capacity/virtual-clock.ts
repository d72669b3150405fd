import { settled } from '../../test/simulation/machine.ts';

export interface Timer {
  /** Undefined once the timer is cancelled. */
  fire: (() => void) | undefined;
}

/**
 * Virtual time in whole milliseconds. All timers of an instant fire together, and then promises go
 * on until they wait for another timer: the fewer instants have timers, the faster a run.
 */
export class VirtualClock {
  readonly startedAtMs = Date.parse('2026-11-20T12:00:00.000Z');
  nowMs = this.startedAtMs;
  /** By the millisecond in which they fire, in the order in which they were scheduled. */
  readonly #timersAt = new Map<number, Timer[]>();

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

  async runFor(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
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
