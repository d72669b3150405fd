import type { Counter, Metrics } from '../../../lambdas/runtime/reporting.ts';
import { RecordingLogger } from './recording-logger.ts';

/** Sums, and the last age. What is not flushed is not there, as in Lambda. */
class RecordingMetrics implements Metrics {
  readonly flushed: Record<string, number> = {};
  #waiting: (() => void)[] = [];

  count(name: Counter, by = 1): void {
    this.#waiting.push(() => {
      if (by > 0) this.flushed[name] = (this.flushed[name] ?? 0) + by;
    });
  }

  oldestPendingEvent({ seconds }: { seconds: number }): void {
    this.#waiting.push(() => {
      this.flushed.OldestPendingEventAge = seconds;
    });
  }

  flush(): void {
    for (const write of this.#waiting) write();
    this.#waiting = [];
  }
}

export const anObservation = () => ({
  logger: new RecordingLogger(),
  metrics: new RecordingMetrics(),
});
