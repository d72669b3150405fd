import type { AttemptHistory } from '../../core/delivery/attempt.ts';
import type { InMemoryAttemptLog } from './in-memory-attempt-log.ts';

/** The history of what a delivery log in memory has recorded. */
export class InMemoryAttemptHistory implements AttemptHistory {
  readonly #log: InMemoryAttemptLog;
  readonly #pageSize: number;

  constructor(log: InMemoryAttemptLog, { pageSize = 25 } = {}) {
    this.#log = log;
    this.#pageSize = pageSize;
  }

  async purgePage(integration: string): Promise<boolean> {
    const { attempts } = this.#log;
    for (let purged = 0; purged < this.#pageSize; purged += 1) {
      const index = attempts.findIndex((attempt) => attempt.integration === integration);
      if (index === -1) return true;
      attempts.splice(index, 1);
    }
    return attempts.every((attempt) => attempt.integration !== integration);
  }
}
