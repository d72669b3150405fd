import { randomUUID } from 'node:crypto';
import { FunctionFailure } from './function-failure.ts';
import { FunctionInstance, type InstanceOptions } from './function-instance.ts';
import type { FunctionSettings } from './function-settings.ts';

export interface PoolOptions extends Omit<InstanceOptions, 'onEnd'> {
  onFailure: (failure: FunctionFailure) => void;
}

/**
 * The sandboxes of one function: made when needed, kept warm, replaced after a crash. Invocations
 * beyond the concurrency wait; Lambda would refuse them, and their callers would try again.
 */
export class FunctionPool {
  readonly settings: FunctionSettings;
  readonly #options: PoolOptions;
  readonly #instances = new Set<FunctionInstance>();
  readonly #idle: FunctionInstance[] = [];
  readonly #waiting: (() => void)[] = [];
  #stopped = false;

  constructor(settings: FunctionSettings, options: PoolOptions) {
    this.settings = settings;
    this.#options = options;
  }

  /**
   * Resolves to what the handler returned, rejects with a FunctionFailure.
   *
   * @param expected a failure that is an answer, and is not reported as one of the function
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
      this.#release(instance);
    }
  }

  /** Ends every sandbox that works on an invocation now, as a crash does; how many they were. */
  async crash(): Promise<number> {
    const busy = [...this.#instances].filter((instance) => !this.#idle.includes(instance));
    await Promise.all(busy.map((instance) => instance.crash()));
    return busy.length;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all([...this.#instances].map((instance) => instance.stop()));
    await this.#options.log.close();
  }

  async #acquire(): Promise<FunctionInstance> {
    for (;;) {
      if (this.#stopped) throw new FunctionFailure('Runtime.ExitError', 'The run stops');
      // The sandbox used last: the others may never be needed again.
      const instance = this.#idle.pop();
      if (instance) return instance;
      if (this.#instances.size < this.settings.concurrency) return this.#start();
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
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
