import { FunctionFailure } from './function-instance.ts';
import type { FunctionPool } from './function-pool.ts';

/** The concurrent executions of an AWS account, unless it requests more. */
const ACCOUNT = 1_000;

type Pool = Pick<FunctionPool, 'settings' | 'invoke'>;

/**
 * The concurrent executions of functions behind the REST API: what a function reserves, or of all that
 * reserve nothing together what the others leave. Batches of queues and streams are not counted.
 */
export class Concurrency {
  readonly #unreserved: number;
  /** By function, or together. */
  readonly #running = new Map<string, number>();

  constructor(pools: readonly Pool[]) {
    const reserved = pools.map(({ settings }) => settings.reservedConcurrency ?? 0);
    this.#unreserved = ACCOUNT - reserved.reduce((sum, each) => sum + each, 0);
  }

  /** Rejects beyond the concurrency, as Lambda does, where an invocation of the pool alone waits. */
  async request(pool: Pool, event: unknown): Promise<unknown> {
    const { arn, reservedConcurrency } = pool.settings;
    const name = reservedConcurrency === undefined ? 'unreserved' : arn;
    const running = this.#running.get(name) ?? 0;
    if (running >= (reservedConcurrency ?? this.#unreserved)) {
      throw new FunctionFailure('TooManyRequestsException', 'Rate Exceeded.');
    }
    this.#running.set(name, running + 1);
    try {
      return await pool.invoke(event);
    } finally {
      this.#running.set(name, (this.#running.get(name) ?? 1) - 1);
    }
  }
}
