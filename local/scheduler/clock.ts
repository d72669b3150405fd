export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after the delay. Returns a function that cancels the call. */
  after(delayMs: number, callback: () => void): () => void;
}

/** With a longer delay, Node's timers fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (delayMs, callback) => {
    const dueAt = Date.now() + delayMs;
    let timer: NodeJS.Timeout;
    const wait = (): void => {
      const remainingMs = dueAt - Date.now();
      timer = setTimeout(
        remainingMs > LONGEST_TIMER_MS ? wait : callback,
        Math.min(Math.max(remainingMs, 0), LONGEST_TIMER_MS),
      );
    };
    wait();
    return () => clearTimeout(timer);
  },
};
