import type { Attempt, OutcomeClass } from '../../../core/delivery/attempt.ts';
import type { Logger } from '../../runtime/reporting.ts';

/** What became of a delivery without an attempt, or beside the attempt's outcome. */
type Fate = 'pending' | 'setAside' | 'moved' | 'dropped';

/** What became of the deliveries of a batch, for one log line. */
export class BatchSummary {
  readonly #counts = new Map<OutcomeClass | Fate, number>();
  #slowest: Attempt | undefined;

  add(what: OutcomeClass | Fate): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  addAttempt(attempt: Attempt): void {
    this.add(attempt.outcome.class);
    if (attempt.durationMs > (this.#slowest?.durationMs ?? -1)) this.#slowest = attempt;
  }

  /** Writes nothing of a batch whose every record failed: each such record has its own line. */
  log(logger: Logger): void {
    if (this.#counts.size === 0) return;
    logger.info('deliveries.attempted', {
      ...Object.fromEntries(this.#counts),
      ...(this.#slowest && {
        slowestMs: this.#slowest.durationMs,
        slowestIntegration: this.#slowest.integration,
      }),
    });
  }
}
