import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { FunctionFailure, FunctionInstance, type InstanceOptions } from './function-instance.ts';
import type { FunctionSettings } from './function-settings.ts';

export interface PoolOptions extends Omit<InstanceOptions, 'onEnd' | 'onWait'> {
  onFailure: (failure: FunctionFailure) => void;
}

/** How long an invocation waits for a busy sandbox before another sandbox starts. */
const PATIENCE_MS = 100;

/** How many sandboxes are idle while others wait for an endpoint. */
const SPARE = 2;

/** How often a sandbox ends that is not needed, so that the memory of a busy time is given back. */
const GIVES_BACK_EACH_MS = 60_000;

/** The sandboxes of a function. An invocation beyond the concurrency waits for one. */
export class FunctionPool {
  readonly settings: FunctionSettings;
  readonly #options: PoolOptions;
  readonly #instances = new Set<FunctionInstance>();
  readonly #idle: FunctionInstance[] = [];
  /** Those that wait for an endpoint. */
  readonly #atEndpoint = new Set<FunctionInstance>();
  readonly #waiting: (() => void)[] = [];
  #starting: FunctionInstance | undefined;
  #giveBack: NodeJS.Timeout | undefined;
  /** Whether it was invoked since a sandbox last had to end. */
  #isInUse = false;
  #stopped = false;

  constructor(settings: FunctionSettings, options: PoolOptions) {
    this.settings = settings;
    this.#options = options;
    writeFileSync(options.logFile, '');
  }

  /** Rejects with a FunctionFailure, and reports it to `onFailure`. */
  async invoke(event: unknown): Promise<unknown> {
    const instance = await this.#acquire();
    this.#isInUse = true;
    try {
      return JSON.parse(await instance.invoke(JSON.stringify(event), randomUUID()));
    } catch (error) {
      this.#report(FunctionFailure.from(error));
      throw error;
    } finally {
      this.#atEndpoint.delete(instance);
      this.#release(instance);
    }
  }

  /** Resolves when no sandbox computes, or when the run stops. */
  async untilQuiet(): Promise<void> {
    while (!this.#stopped && this.#isComputing()) await this.#released();
  }

  /** Resolves when an invocation need not wait for a busy sandbox, or when the run stops. */
  async untilFree(): Promise<void> {
    if (this.#stopped || this.#instances.size === 0) return;
    await this.#acquire().then(
      (instance) => this.#release(instance),
      () => {},
    );
  }

  /** Ends all sandboxes that start or run an invocation, as a crash does. Resolves to their number. */
  async crash(): Promise<number> {
    const busy = [...this.#instances].filter((instance) => !this.#idle.includes(instance));
    await Promise.all(busy.map((instance) => instance.crash()));
    return busy.length;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#giveBack);
    this.#wakeAll();
    await Promise.all([...this.#instances].map((instance) => instance.stop()));
  }

  async #acquire(): Promise<FunctionInstance> {
    for (;;) {
      if (this.#stopped) throw new FunctionFailure('Runtime.ExitError', 'The run stops');
      // The sandbox that was used last; the other sandboxes may never be needed again.
      const instance = this.#idle.pop();
      if (instance) {
        this.#keepSpare();
        return instance;
      }
      if (this.#instances.size === 0) return this.#start();
      const isReleased = await this.#released();
      // If all have ended meanwhile, the next one takes the invocation, and fails it if it cannot load.
      if (!isReleased && this.#instances.size > 0) this.#startAnother();
    }
  }

  #isComputing(): boolean {
    const others = this.#idle.length + this.#atEndpoint.size + (this.#starting ? 1 : 0);
    return this.#instances.size > others;
  }

  #waits(instance: FunctionInstance): void {
    this.#atEndpoint.add(instance);
    this.#wakeAll();
    this.#keepSpare();
  }

  /** Others start before the next invocations have to wait for them. */
  #keepSpare(): void {
    if (this.#atEndpoint.size > 0 && this.#idle.length < SPARE) this.#startAnother();
  }

  /** Starts one sandbox at a time beside the busy ones. It takes invocations once it is ready. */
  #startAnother(): void {
    const { computing, concurrency } = this.settings;
    const size = this.#instances.size;
    const isFull = size - this.#atEndpoint.size >= computing || size >= concurrency;
    if (isFull || this.#starting || this.#stopped) return;
    const instance = this.#start();
    this.#starting = instance;
    instance.ready.then(() => {
      this.#starting = undefined;
      this.#release(instance);
      this.#keepSpare();
    });
  }

  /** Resolves to true when a sandbox was released, and to false if none was in time. */
  #released(): Promise<boolean> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timeout);
        resolve(true);
      };
      const timeout = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(wake), 1);
        resolve(false);
      }, PATIENCE_MS);
      this.#waiting.push(wake);
    });
  }

  #release(instance: FunctionInstance): void {
    if (this.#instances.has(instance)) this.#idle.push(instance);
    this.#wakeAll();
    this.#giveBackLater();
  }

  #wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Ends the sandbox that was idle the longest; the last one only after a minute without a call. */
  #giveBackLater(): void {
    if (this.#idle.length === 0 || this.#stopped) return;
    this.#giveBack ??= setTimeout(() => {
      this.#giveBack = undefined;
      const isNeeded = this.#idle.length === 1 && this.#isInUse;
      this.#isInUse = false;
      const unused = isNeeded ? undefined : this.#idle.shift();
      if (unused) this.#instances.delete(unused);
      unused?.stop();
      this.#giveBackLater();
    }, GIVES_BACK_EACH_MS).unref();
  }

  #start(): FunctionInstance {
    const instance = new FunctionInstance(this.settings, {
      ...this.#options,
      onWait: () => this.#waits(instance),
      onEnd: (failure) => {
        const isInUse = this.#instances.delete(instance);
        this.#atEndpoint.delete(instance);
        if (this.#starting === instance) this.#starting = undefined;
        const idleAt = this.#idle.indexOf(instance);
        if (idleAt >= 0) this.#idle.splice(idleAt, 1);
        if (failure && isInUse) this.#report(failure);
      },
    });
    this.#instances.add(instance);
    return instance;
  }

  #report(failure: FunctionFailure): void {
    if (!this.#stopped) this.#options.onFailure(failure);
  }
}
