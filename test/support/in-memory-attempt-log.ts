import type { Attempt, AttemptLog } from '../../core/delivery/attempt.ts';

export class InMemoryAttemptLog implements AttemptLog {
  readonly attempts: Attempt[] = [];

  async record(attempt: Attempt): Promise<void> {
    this.attempts.push(attempt);
  }
}
