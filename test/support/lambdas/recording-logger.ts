import type { Logger } from '../../../lambdas/runtime/reporting.ts';

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
