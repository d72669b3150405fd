import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { Connection } from './connection.ts';

/** The output of a command: with `--json` the document, otherwise the lines. */
interface Report {
  readonly document: unknown;
  readonly lines: readonly string[];
  /** The report is of something that failed: the exit code is 1. */
  readonly isFailure?: boolean;
}

/** The deployment, as the caller names it. */
interface Whereabouts {
  readonly stage: string | undefined;
  /** Of an embedded run. */
  readonly stateDirectory: string;
}

/** The parts of a process that a command line uses. */
export interface CommandProcess {
  connect(where: Whereabouts): Promise<Connection>;
  /**
   * The UTF-8 text of a file; `-` is the standard input. Throws AdministrationError. With `isRepaired`
   * bytes that are not UTF-8 are U+FFFD instead of an error.
   */
  readText(path: string, options?: { isRepaired?: boolean }): Promise<string>;
  /** Asks at the terminal; false without one. */
  confirm(question: string): Promise<boolean>;
  newEventId(): string;
  now(): Date;
  writeOut(text: string): void;
  writeError(text: string): void;
}

/** Connects as the command's global options say, does the work and prints the report. */
export type Perform = (
  command: Command,
  work: (connection: Connection) => Promise<Report>,
) => Promise<void>;

/** Reads an option: a whole number from 1 to `maximum`. */
export const count =
  (maximum: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= 1 && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${maximum}.`);
  };

/** Reads an instant with its offset, as an option's parser. */
export const instantIn = (text: string): string => {
  const read = z.iso.datetime({ offset: true }).safeParse(text);
  const instant = read.success ? new Date(text).toISOString() : '';
  if (/^\d{4}-/.test(instant)) return instant;
  throw new InvalidArgumentError('It must be an instant, such as 2026-12-31T00:00:00Z.');
};
