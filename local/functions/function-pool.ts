import { randomUUID } from 'node:crypto';
import { FunctionFailure } from './function-failure.ts';
import { FunctionInstance, type InstanceOptions } from './function-instance.ts';
import type { FunctionSettings } from './function-settings.ts';

export interface PoolOptions extends Omit<InstanceOptions, 'onEnd'> {
  onFailure: (failure: FunctionFailure) => void;
}

/**
 * How long invocations wait for a busy sandbox, one of them or together within a second, before a
 * second sandbox starts; before each further sandbox, four times as long. A start takes longer, and
 * every sandbox takes memory and compiles the function anew.
 */
const PATIENCE_MS = 100;
const TOGETHER_WITHIN_MS = 1_000;

/**
 * How long an invocation waits, at least, while a sandbox has not ended its first invocation: that
 * one compiles the function, and after it the sandbox is fast.
 */
const PATIENCE_WITH_FIRST_MS = 1_000;

/**
 * The sandboxes of one function: started when needed, kept warm, replaced after a crash. An
 * invocation beyond the concurrency waits for a sandbox; Lambda would refuse the invocation, and
 * the caller would try again.
 */
export class FunctionPool {
  readonly settings: FunctionSettings;
  readonly #options: PoolOptions;
  readonly #instances = new Set<FunctionInstance>();
  readonly #idle: FunctionInstance[] = [];
  /** Those that have ended an invocation. */
  readonly #warm = new WeakSet<FunctionInstance>();
  readonly #waiting: (() => void)[] = [];
  /** What invocations waited of late, in milliseconds, and since when, as `performance.now()`. */
  #waited = { ms: 0, since: 0 };
  #stopped = false;

  constructor(settings: FunctionSettings, options: PoolOptions) {
    this.settings = settings;
    this.#options = options;
  }

  /**
   * Resolves to the handler's result; rejects with a FunctionFailure, and reports it to
   * `onFailure`.
   *
   * @param expected whether a failure is an answer of the function; such a failure is not reported
   */
  async invoke(event: unknown, expected?: (failure: FunctionFailure) => boolean): Promise<unknown> {
    const instance = await this.#acquire();
    try {
      return JSON.parse(await instance.invoke(JSON.stringify(event), randomUUID()));
    } catch (error) {
      const failure = FunctionFailure.from(error);
      if (!expected?.(failure)) this.#report(failure);
      throw error;
    } finally {
      this.#warm.add(instance);
      this.#release(instance);
    }
  }

  /** Resolves when an invocation need not wait for a busy sandbox, or when the run stops. */
  async untilFree(): Promise<void> {
    if (this.#stopped || this.#instances.size === 0) return;
    await this.#acquire().then(
      (instance) => this.#release(instance),
      () => {},
    );
  }

  /**
   * Tells how long an invocation has waited for a busy sandbox. When invocations wait much together,
   * another sandbox starts, and takes invocations once it is ready.
   */
  noteWait(ms: number): void {
    const now = performance.now();
    if (now - this.#waited.since > TOGETHER_WITHIN_MS) this.#waited = { ms: 0, since: now };
    this.#waited.ms += ms;
    if (this.#stopped || this.#isFull() || this.#waited.ms < this.#patienceMs()) return;
    this.#waited = { ms: 0, since: now };
    const instance = this.#start();
    instance.ready.then(() => this.#release(instance));
  }

  /** Ends all sandboxes that start or run an invocation, as a crash does. Resolves to their number. */
  async crash(): Promise<number> {
    const busy = [...this.#instances].filter((instance) => !this.#idle.includes(instance));
    await Promise.all(busy.map((instance) => instance.crash()));
    return busy.length;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all([...this.#instances].map((instance) => instance.stop()));
  }

  async #acquire(): Promise<FunctionInstance> {
    for (;;) {
      if (this.#stopped) throw new FunctionFailure('Runtime.ExitError', 'The run stops');
      // The sandbox that was used last; the other sandboxes may never be needed again.
      const instance = this.#idle.pop();
      if (instance) return instance;
      if (this.#instances.size === 0) return this.#start();
      const isReleased = await this.#released(this.#isFull() ? undefined : this.#patienceMs());
      if (!isReleased && !this.#isFull()) return this.#start();
    }
  }

  #patienceMs(): number {
    const patienceMs = PATIENCE_MS * 4 ** (this.#instances.size - 1);
    const isAnyNew = [...this.#instances].some((instance) => !this.#warm.has(instance));
    return isAnyNew ? Math.max(PATIENCE_WITH_FIRST_MS, patienceMs) : patienceMs;
  }

  #isFull(): boolean {
    return this.#instances.size >= this.settings.concurrency;
  }

  /** Resolves to whether a sandbox was released in time; without a time, when one was. */
  #released(withinMs?: number): Promise<boolean> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timeout);
        resolve(true);
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(wake), 1);
        resolve(false);
      };
      const timeout = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
      this.#waiting.push(wake);
    });
  }

  #release(instance: FunctionInstance): void {
    if (this.#instances.has(instance)) this.#idle.push(instance);
    this.#waiting.shift()?.();
  }

  #start(): FunctionInstance {
    const instance = new FunctionInstance(this.settings, {
      ...this.#options,
      onEnd: (failure) => {
        this.#instances.delete(instance);
        const idleAt = this.#idle.indexOf(instance);
        if (idleAt >= 0) this.#idle.splice(idleAt, 1);
        if (failure) this.#report(failure);
      },
    });
    this.#instances.add(instance);
    return instance;
  }

  #report(failure: FunctionFailure): void {
    if (!this.#stopped) this.#options.onFailure(failure);
  }
}
