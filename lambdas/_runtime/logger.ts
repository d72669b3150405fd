import { Logger as PowertoolsLogger } from '@aws-lambda-powertools/logger';

/** Structured lines: a name from the catalogue of docs/runbook.md, and its fields. Never bodies, secrets or tokens. */
export interface Logger {
  info(name: string, fields: Record<string, unknown>): void;
  warn(name: string, fields: Record<string, unknown>): void;
  error(name: string, fields: Record<string, unknown>): void;
}

/** Service name and level come from the POWERTOOLS_* variables that every function has. */
export const createLogger = (): Logger => new PowertoolsLogger();

/** A fault as fields: its name, message and place, without the data it was about. */
export const faultField = (fault: unknown): { error: string; stack?: string } =>
  fault instanceof Error
    ? { error: `${fault.name}: ${fault.message}`, stack: fault.stack }
    : { error: 'a value that is not an Error was thrown' };
