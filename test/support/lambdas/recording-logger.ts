import type { Counter, Logger, Metrics } from '../../../lambdas/runtime/reporting.ts';

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly name: string;
  readonly fields: Record<string, unknown>;
}

export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = [];

  get text(): string {
    return JSON.stringify(this.lines);
  }

  named(name: string): Record<string, unknown>[] {
    return this.lines.filter((line) => line.name === name).map(({ fields }) => fields);
  }

  info(name: string, fields: Record<string, unknown>): void {
    this.lines.push({ level: 'info', name, fields });
  }

  warn(name: string, fields: Record<string, unknown>): void {
    this.lines.push({ level: 'warn', name, fields });
  }

  error(name: string, fields: Record<string, unknown>): void {
    this.lines.push({ level: 'error', name, fields });
  }
}

/** Sums, and the last latency. What is not flushed is not there, as in Lambda. */
class RecordingMetrics implements Metrics {
  readonly flushed: Record<string, number> = {};
  #waiting: (() => void)[] = [];

  count(name: Counter, by = 1): void {
    this.#waiting.push(() => {
      if (by > 0) this.flushed[name] = (this.flushed[name] ?? 0) + by;
    });
  }

  canaryLatency({ milliseconds }: { milliseconds: number }): void {
    this.#waiting.push(() => {
      this.flushed.CanaryLatency = milliseconds;
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
