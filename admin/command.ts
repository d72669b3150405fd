import type { Command } from 'commander';
import type { Connection, KnownNames } from './connection.ts';

/** What a command prints: a document for machines, lines for people. */
interface Report {
  readonly document: unknown;
  readonly lines: readonly string[];
}

/** What a command line needs of the process it runs in. */
export interface CommandProcess {
  connect(stage: string | undefined, known: KnownNames): Promise<Connection>;
  /** The text of a file; `-` is the standard input. */
  readText(path: string): Promise<string>;
  newEventId(): string;
  now(): Date;
  writeOut(text: string): void;
  writeError(text: string): void;
}

export type Perform = (
  command: Command,
  work: (connection: Connection) => Promise<Report>,
) => Promise<void>;
